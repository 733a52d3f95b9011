// How many an audience is: in all, in each wave and in each market, as one changes it.
import { ask } from "../lib/api.js";
import { measures, missing, scopeOf } from "../lib/crossing.js";
import { everyone } from "../lib/expression.js";
import { count, ends, percent } from "../lib/figures.js";
import { html, useState } from "../lib/html.js";
import { useAnswer, useSettled } from "../parts/answer.js";
import { refusalNotice } from "../parts/notice.js";
import { TakeAway } from "../parts/takeaway.js";

// How long an audience stands still before it is counted.
const still = 250;

// One request for all of it: the audience is the row, and everyone, the waves and the markets are the columns.
export function sizeRequest(state, expression, catalogue) {
  const within = (list, chosen) => list.filter(({ code }) => !chosen?.length || chosen.includes(code));
  const waves = within(catalogue.waves, state.waves);
  const column =
    (question) =>
    ({ code, name }) => ({ name, expression: { question, datapoints: [code] } });
  const columns = [
    { name: "Total", expression: everyone },
    ...waves.map(column("waves")),
    ...within(catalogue.locations, state.locations).map(column("locations")),
  ];
  return {
    request: {
      rows: [{ name: state.called ?? "Audience", expression }],
      columns,
      ...scopeOf(state),
      waves: waves.map(({ code }) => code),
      statistics: {},
    },
    waves: waves.length,
  };
}

export function Size({ catalogue, state, expression }) {
  const asked = expression && JSON.stringify(sizeRequest(state, expression, catalogue));
  const settled = useSettled(asked, still);
  const { data, refusal, busy, again } = useAnswer(settled ? (signal) => sized(settled, signal) : undefined, [
    settled,
  ]);
  const [taking, setTaking] = useState(false);
  if (refusal) return refusalNotice(refusal, again);
  return html`
    <div class="size" aria-busy=${busy || settled !== asked}>
      <${Tiles} cell=${data?.cells[0]} />
      <details class="by">
        <summary>By wave and market</summary>
        ${
          data &&
          html`
            <div class="two">
              <${By}
                title="Wave"
                names=${data.names.slice(1, 1 + data.waves)}
                cells=${data.cells.slice(1, 1 + data.waves)}
              />
              <${By}
                title="Market"
                names=${data.names.slice(1 + data.waves)}
                cells=${data.cells.slice(1 + data.waves)}
              />
            </div>
            <p class="actions"><button onClick=${() => setTaking(true)}>Take away</button></p>
          `
        }
      </details>
      ${
        taking &&
        html`
          <${TakeAway}
            path="/v2/query/crosstab"
            request=${data.request}
            title=${state.called ?? "Audience"}
            close=${() => setTaking(false)}
          />
        `
      }
    </div>
  `;
}

async function sized(asked, signal) {
  const { request, waves } = JSON.parse(asked);
  const { data } = await ask("/v2/query/crosstab?stream=false", { ...request, echo: false }, { signal });
  return { request, waves, cells: data, names: request.columns.map(({ name }) => name) };
}

// There is room for the figures before they come, so that nothing jumps.
function Tiles({ cell }) {
  const why = cell && missing(cell);
  const shown = cell && !why;
  const share = shown && measures.column.interval(cell);
  const tiles = [
    ["People", shown && count(cell.intersect.size), shown && ends(cell.statistics.intersect.size, count)],
    [
      "Respondents",
      shown && count(cell.intersect.sample),
      shown && `${count(cell.statistics.intersect.effective_sample)} effective`,
    ],
    ["Of the base", shown && percent(measures.column.of(cell)), shown && ends(share, percent)],
    ["Base", shown && count(cell.base.size), shown && `${count(cell.base.sample)} respondents`],
  ];
  return html`
    <dl class="tiles">
      ${tiles.map(
        ([name, value, more]) => html`
          <div key=${name}>
            <dt>
              ${name}
              <span>${more || "\u00a0"}</span>
            </dt>
            <dd class="number">${value || "–"}</dd>
          </div>
        `,
      )}
    </dl>
    <p class="warning small" hidden=${!(why || (shown && cell.intersect.sample < 100))} role="status">
      ${why ? reasons[why] : shown && fewWords(cell.intersect.sample)}
    </p>
  `;
}

const reasons = {
  unmeasured: "What it is made of was never asked together in these waves and markets.",
  withheld: "These are fewer respondents than your key may be told of.",
};

function fewWords(sample) {
  if (sample < 30) return "Fewer than 30 respondents: better not published.";
  return sample < 100 && "Fewer than 100 respondents: read with caution.";
}

const words = { unmeasured: "not asked", withheld: "withheld" };

function By({ title, names, cells }) {
  const most = Math.max(
    1,
    ...cells.filter((cell) => !missing(cell)).map((cell) => measures.column.interval(cell)?.high ?? 0),
  );
  return html`
    <table class="by">
      <thead>
        <tr>
          <th scope="col">${title}</th>
          <th scope="col">Share</th>
          <th scope="col">People</th>
          <th scope="col">Respondents</th>
        </tr>
      </thead>
      <tbody>
        ${cells.map((cell, i) =>
          missing(cell)
            ? html`
                <tr key=${i}>
                  <th scope="row">${names[i]}</th>
                  <td colspan="3" class="faint">${words[missing(cell)]}</td>
                </tr>
              `
            : html`
                <tr key=${i} title=${`95 %: ${ends(measures.column.interval(cell), percent)}`}>
                  <th scope="row">${names[i]}</th>
                  <td class="bar">
                    <${Share}
                      share=${measures.column.of(cell) / most}
                      interval=${measures.column.interval(cell)}
                      most=${most}
                    />
                    <span class="number">${percent(measures.column.of(cell))}</span>
                  </td>
                  <td class="number">${count(cell.intersect.size)}</td>
                  <td class="number">${count(cell.intersect.sample)}</td>
                </tr>
              `,
        )}
      </tbody>
    </table>
  `;
}

function Share({ share, interval, most }) {
  return html`
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="10" />
      <rect class="fill" width=${100 * share} height="10" />
      ${
        interval &&
        html`
          <rect
            class="whisker"
            x=${(100 * interval.low) / most}
            y="4.25"
            width=${(100 * (interval.high - interval.low)) / most}
            height="1.5"
          />
        `
      }
    </svg>
  `;
}
