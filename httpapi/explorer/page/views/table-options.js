// What a table shows of its figures, and what it compares.
import { comparison, measures as known, mostCompared } from "../lib/crossing.js";
import { html, useState } from "../lib/html.js";
import { Dialog } from "../parts/dialog.js";

const comparisons = {
  rest: "Each column with the rest of its base: ▲▼",
  columns: "Each column with each other: letters",
  previous: "Each column with the one before: ▲▼",
  none: "Nothing",
};

const brief = {
  rest: "▲▼ with the rest",
  columns: "Letters",
  previous: "▲▼ with the one before",
  none: "No marks",
};

const levels = { 90: "90 %", 95: "95 %", 99: "99 %" };

const corrections = { holm: "Holm", bonferroni: "Bonferroni", fdr: "False discovery rate", none: "Uncorrected" };

export function Options({ state, change, measures, columns, takeAway }) {
  const [open, setOpen] = useState(false);
  const toggle = (name) => {
    const next = Object.keys(known).filter((one) => measures.includes(one) !== (one === name));
    if (next.length) change({ measures: next });
  };
  const compare = comparison(state, columns);
  return html`
    <div class="options" role="group" aria-label="What the table shows">
      <span class="toggles">
        ${Object.entries(known).map(
          ([name, { title }]) => html`
            <button key=${name} aria-pressed=${measures.includes(name)} onClick=${() => toggle(name)}>
              ${title}
            </button>
          `,
        )}
      </span>
      <button
        aria-pressed=${state.heat !== "off"}
        onClick=${() => change({ heat: state.heat === "off" ? undefined : "off" })}
      >
        Heat map
      </button>
      <button aria-haspopup="dialog" onClick=${() => setOpen(true)}>${brief[compare]}</button>
      <button class="primary" onClick=${takeAway}>Take away</button>
      ${
        open &&
        html`
          <${Comparison} ...${{ state, change, columns, compare, close: () => setOpen(false) }} />
        `
      }
    </div>
  `;
}

// What is compared, how it is corrected for the number of tests, and how sure it has to be.
function Comparison({ state, change, columns, compare, close }) {
  return html`
    <${Dialog} title="What is compared" close=${close}>
      <p class="faint">Each column % is compared with others. A mark says that the difference is hardly chance.</p>
      <div class="comparison">
        <${Choice}
          label="Compare"
          value=${compare}
          choices=${comparisons}
          disabled=${columns.length > mostCompared ? ["columns"] : []}
          choose=${(value) => change({ compare: value })}
        />
        ${
          compare !== "none" &&
          html`
            <${Choice}
              label="Correct for the number of tests"
              value=${state.correction ?? "holm"}
              choices=${corrections}
              choose=${(value) => change({ correction: value })}
            />
          `
        }
        <${Choice}
          label="Confidence, of intervals too"
          value=${state.level ?? "95"}
          choices=${levels}
          choose=${(value) => change({ level: value === "95" ? undefined : value })}
        />
      </div>
      <footer><button class="primary" onClick=${close}>Done</button></footer>
    <//>
  `;
}

function Choice({ label, value, choices, choose, disabled = [] }) {
  return html`
    <label>
      ${label}
      <select value=${value} onChange=${(event) => choose(event.target.value)}>
        ${Object.entries(choices).map(
          ([code, name]) => html`
            <option value=${code} disabled=${disabled.includes(code)}>${name}</option>
          `,
        )}
      </select>
    </label>
  `;
}
