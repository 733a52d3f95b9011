// Chart: a table as a picture.
import { questionsOn } from "../lib/axis.js";
import { figures, kinds, mostRows, mostSeries, seriesOf, stackOf } from "../lib/charting.js";
import { crosstabRequest, measures } from "../lib/crossing.js";
import { many } from "../lib/figures.js";
import { html, useMemo } from "../lib/html.js";
import { useAnswer } from "../parts/answer.js";
import { refusalNotice } from "../parts/notice.js";
import { Scope } from "../parts/scope.js";
import { Picture } from "./chart-picture.js";
import { Axes } from "./table-axes.js";
import { counted, layoutOf } from "./table.js";

// Parameters of its own: kind, how it is drawn, and figure, what is drawn. Rows and columns are those of the table.
export const chart = { name: "chart", title: "Chart", component: Chart };

function Chart({ catalogue, state, change, go }) {
  const items = { rows: state.rows ?? [], columns: state.columns ?? [] };
  const add = (axis, key) => change({ [axis]: [...items[axis], key] });
  const any = items.rows.length + items.columns.length > 0;
  return html`
    <div class="chart">
      <h1 class="spoken">Chart</h1>
      <${Axes} ...${{ catalogue, state, items, change, add }} />
      <${Scope} ...${{ catalogue, state, change }} anyWave="Last 4 waves" />
      ${
        any
          ? html`
              <${Charted} ...${{ catalogue, state, items, change, go }} />
            `
          : html`
              <div class="begin">
                <h2>Draw a table</h2>
                <p class="faint">Put a question in the rows, and another one, waves or audiences in the columns.</p>
              </div>
            `
      }
    </div>
  `;
}

function Charted({ catalogue, state, items, change, go }) {
  const keys = [...questionsOn(items.rows), ...questionsOn(items.columns)];
  const { revision } = catalogue;
  const names = useAnswer(() => catalogue.answered(keys), [keys.join(), revision]);
  const layout = useMemo(() => names.data && layoutOf(items, names.data), [names.data, JSON.stringify(items)]);
  const request = layout && crosstabRequest({ ...state, compare: "none" }, layout.rows, layout.columns);
  const answer = useAnswer(layout && !names.busy ? (signal) => counted(state, layout, signal) : undefined, [
    JSON.stringify(request),
    names.busy,
    revision,
  ]);
  const refusal = names.refusal ?? answer.refusal;
  if (refusal) return refusalNotice(refusal, names.refusal ? names.again : answer.again);
  const kind = state.kind ?? "bars";
  const known = { bars: figures, stacked: ["column"], lines: ["column", "row"] }[kind] ?? figures;
  const figure = known.includes(state.figure) ? state.figure : "column";
  return html`
    <${Choices} ...${{ kind, figure, known, change, go }} />
    ${
      answer.data
        ? html`
            <div aria-busy=${answer.busy || names.busy}>
              <${Picture} ...${{ catalogue, items, request, kind, figure }} crossed=${within(answer.data)} />
              ${notesOn(answer.data, kind).map(
                (note) => html`
                  <p class="faint">${note}</p>
                `,
              )}
            </div>
          `
        : html`
            <p class="waiting" role="status">Counting …</p>
          `
    }
  `;
}

// The part of a table that a chart has room for.
const within = (crossed) => ({
  ...crossed,
  columns: crossed.columns.slice(0, 1 + mostSeries),
  cells: crossed.cells.map((line) => line.slice(0, 1 + mostSeries)),
});

function notesOn(crossed, kind) {
  const left = crossed.columns.length - 1 - mostSeries;
  const sums = seriesOf(crossed).map(({ j }) => stackOf(crossed, j).sum);
  return [
    left > 0 && kind !== "lines" && `There is room for the first ${mostSeries} columns; ${left} are left out.`,
    crossed.rows.length > mostRows && kind === "bars" && `There is room for the first ${many(mostRows, "row")}.`,
    crossed.rows.length > mostSeries && kind === "lines" && `There is room for the first ${mostSeries} rows.`,
    kind === "stacked" &&
      sums.some((sum) => sum > 100.5) &&
      "People could give several answers: each is as wide as its part of all answers together, and says its column %.",
  ].filter(Boolean);
}

function Choices({ kind, figure, known, change, go }) {
  return html`
    <div class="options" role="group" aria-label="What is drawn, and how">
      <span class="toggles">
        ${Object.entries(kinds).map(
          ([name, title]) => html`
            <button key=${name} aria-pressed=${kind === name} onClick=${() => change({ kind: name })}>
              ${title}
            </button>
          `,
        )}
      </span>
      ${
        kind !== "stacked" &&
        html`
          <select aria-label="Figure" value=${figure} onChange=${(event) => change({ figure: event.target.value })}>
            ${known.map(
              (name) => html`
                <option key=${name} value=${name}>${measures[name].title}</option>
              `,
            )}
          </select>
        `
      }
      <button onClick=${() => go("table")}>Show the table</button>
    </div>
  `;
}
