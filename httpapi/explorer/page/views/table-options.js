// What a table shows of its figures, and what it compares.
import { comparison, measures as known, mostCompared } from "../lib/crossing.js";
import { html } from "../lib/html.js";

const comparisons = {
  rest: "▲▼ against the rest",
  columns: "Letters: each column against each",
  previous: "▲▼ against the column before",
  none: "No comparison",
};

const corrections = { holm: "Holm", bonferroni: "Bonferroni", fdr: "False discovery rate", none: "Uncorrected" };

export function Options({ state, change, measures, columns, takeAway }) {
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
      <${Choice}
        label="Compare"
        value=${compare}
        choices=${comparisons}
        disabled=${columns.length > mostCompared && ["columns"]}
        choose=${(value) => change({ compare: value })}
      />
      ${
        compare !== "none" &&
        html`
          <${Choice}
            label="Correction"
            value=${state.correction ?? "holm"}
            choices=${corrections}
            choose=${(value) => change({ correction: value })}
          />
        `
      }
      <${Choice}
        label="Confidence"
        value=${state.level ?? "95"}
        choices=${{ 90: "90 %", 95: "95 %", 99: "99 %" }}
        choose=${(value) => change({ level: value === "95" ? undefined : value })}
      />
      <button class="primary" onClick=${takeAway}>Take away</button>
    </div>
  `;
}

function Choice({ label, value, choices, choose, disabled }) {
  return html`
    <label class="inline">
      <span class="spoken">${label}</span>
      <select value=${value} title=${label} onChange=${(event) => choose(event.target.value)}>
        ${Object.entries(choices).map(
          ([code, name]) => html`
            <option value=${code} disabled=${disabled && disabled.includes(code)}>${name}</option>
          `,
        )}
      </select>
    </label>
  `;
}
