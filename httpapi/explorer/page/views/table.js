// Table: questions crossed with questions.
import { membersOf, opened, questionsOn } from "../lib/axis.js";
import { comparison, cross, crosstabRequest, defaultMeasures, mostSure } from "../lib/crossing.js";
import { everyone } from "../lib/expression.js";
import { many } from "../lib/figures.js";
import { html, useMemo, useState } from "../lib/html.js";
import { pivoted, pivotOf } from "../lib/pivot.js";
import { tsvOf } from "../lib/tsv.js";
import { useAnswer } from "../parts/answer.js";
import { Finder } from "../parts/finder.js";
import { refusalNotice } from "../parts/notice.js";
import { Scope } from "../parts/scope.js";
import { TakeAway } from "../parts/takeaway.js";
import { Axes } from "./table-axes.js";
import { Grid } from "./table-grid.js";
import { Legend } from "./table-legend.js";
import { Options } from "./table-options.js";

// Parameters of its own: rows and columns, as lib/axis.js has them; measures, which figures a cell shows; heat, "off"
// for none; compare, correction and level, as the interface has them; sort, the column that rows go by within their
// question: "-2" from the highest of the second down, "2" from the lowest up, column 0 being the total.
export const table = { name: "table", title: "Table", component: Table };

function Table({ catalogue, state, change }) {
  const items = { rows: state.rows ?? [], columns: state.columns ?? [] };
  const add = (axis, key) =>
    change({ [axis]: [...items[axis], key], ...(axis === "columns" && { sort: undefined }) });
  const next = items.rows.length > 0 && items.columns.length === 0 ? "columns" : "rows";
  return html`
    <div class="table">
      <aside aria-label="Questions">
        <${Finder}
          catalogue=${catalogue}
          act=${(key) => add(next, key)}
          more=${(key) => html`
            <${Both} add=${(axis) => add(axis, key)} />
          `}
        />
      </aside>
      <section aria-label="The table">
        <h1 class="spoken">Table</h1>
        <${Axes} ...${{ catalogue, state, items, change, add }} />
        <${Scope} ...${{ catalogue, state, change }} anyWave="Last 4 waves" />
        ${
          items.rows.length + items.columns.length === 0
            ? html`
                <${Begin} />
              `
            : html`
                <${Crossed} ...${{ catalogue, state, items, change }} />
              `
        }
      </section>
    </div>
  `;
}

function Both({ add }) {
  return ["rows", "columns"].map(
    (axis) => html`
      <button key=${axis} onClick=${() => add(axis)}>${axis}</button>
    `,
  );
}

function Begin() {
  return html`
    <div class="begin">
      <h2>Cross two questions</h2>
      <p class="faint">
        Choose a question and it stands in the rows; the next one stands in the columns. Or drag them to where they
        belong.
      </p>
    </div>
  `;
}

function Crossed({ catalogue, state, items, change }) {
  const keys = [...questionsOn(items.rows), ...questionsOn(items.columns)];
  const { revision } = catalogue;
  const names = useAnswer(() => catalogue.answered(keys), [keys.join(), revision]);
  const layout = useMemo(() => names.data && layoutOf(items, names.data), [names.data, JSON.stringify(items)]);
  const request = layout && crosstabRequest(state, layout.rows, layout.columns);
  const answer = useAnswer(layout && !names.busy ? (signal) => counted(state, layout, signal) : undefined, [
    JSON.stringify(request),
    names.busy,
    revision,
  ]);
  const [taking, setTaking] = useState(false);
  const refusal = names.refusal ?? answer.refusal;
  if (refusal) return refusalNotice(refusal, names.refusal ? names.again : answer.again);
  const measures = state.measures?.length ? state.measures : defaultMeasures;
  const columns = layout?.columns ?? [];
  const missing = names.busy ? [] : keys.filter((key) => !names.data?.get(key)?.accessible);
  return html`
    <${Options} ...${{ state, change, measures, columns, takeAway: () => setTaking(true) }} />
    ${
      missing.length > 0 &&
      html`
        <p class="warning">${missingWords(missing)}</p>
      `
    }
    <div class="crossed" aria-busy=${answer.busy || names.busy}>
      ${
        answer.data
          ? html`
              <${Shown} crossed=${answer.data} ...${{ catalogue, measures, state, change }} />
            `
          : html`
              <p class="waiting" role="status">Counting …</p>
            `
      }
    </div>
    ${
      taking &&
      html`
        <${TakeAway}
          path="/v2/query/crosstab"
          request=${request}
          title=${titleOf(items, catalogue)}
          extras=${extrasOf(answer.data, measures)}
          close=${() => setTaking(false)}
        />
      `
    }
  `;
}

function Shown({ catalogue, crossed, measures, state, change }) {
  const compare = comparison(state, crossed.columns.slice(1));
  return html`
    <${Grid} ...${{ catalogue, crossed, measures, state, change, compare }} />
    <${Legend} ...${{ crossed, state, compare }} />
    ${
      !crossed.sure &&
      html`
        <p class="faint">A table of more than ${many(mostSure, "cell")} comes without intervals and marks.</p>
      `
    }
  `;
}

// What is asked for, and how it is laid out. A table of columns alone has everyone for its only row.
export function layoutOf(items, questions) {
  const pivot = pivotOf(items, questions);
  if (pivot) return { rows: pivot.rows, columns: [], pivot };
  const rows = membersOf(items.rows, questions);
  return {
    rows: rows.length ? rows : [{ name: "Everyone", expression: everyone }],
    columns: membersOf(items.columns, questions),
  };
}

export async function counted(state, { rows, columns, pivot }, signal) {
  const crossed = await cross(state, rows, columns, signal);
  return pivot ? pivoted(crossed, pivot) : crossed;
}

// What the page makes itself of a table that is taken away.
function extrasOf(crossed, measures) {
  if (!crossed) return [];
  const text = () => new Blob([tsvOf(crossed, measures)], { type: "text/tab-separated-values" });
  return [{ name: "TSV", ending: "tsv", make: text }];
}

function missingWords(keys) {
  return `There is no question ${keys.join(", ")} in this survey, or your key does not grant it.`;
}

// What the table is called, as its file is when it is taken away.
export function titleOf(items, catalogue) {
  const words = (list) =>
    list
      .map(opened)
      .map(({ question, name }) => name ?? catalogue.byKey.get(question)?.name ?? question)
      .join(", ");
  return [words(items.rows), words(items.columns)].filter(Boolean).join(" by ");
}
