// The picture of a chart, and what can be taken away of it.
import { mostSeries, pointOf, seriesOf, sheetOf } from "../lib/charting.js";
import { measures } from "../lib/crossing.js";
import { index, percent } from "../lib/figures.js";
import { html, useRef, useState } from "../lib/html.js";
import { extrasOf } from "../lib/picture.js";
import { Bars, Stacks } from "../parts/bars.js";
import { Lines } from "../parts/lines.js";
import { TakeAway } from "../parts/takeaway.js";
import { titleOf } from "./table.js";

export function Picture({ catalogue, items, crossed, request, kind, figure }) {
  const picture = useRef();
  const [taking, setTaking] = useState(false);
  const title = titleOf(items, catalogue);
  const write = figure === "index" ? index : percent;
  return html`
    <section class="sheet">
      <h2>${title}</h2>
      ${
        kind === "bars" &&
        html`
          <${Bars} ...${{ title, crossed, figure, write, picture }} />
        `
      }
      ${
        kind === "stacked" &&
        html`
          <${Stacks} ...${{ title, crossed, write, picture }} />
        `
      }
      ${
        kind === "lines" &&
        html`
          <${Lined} ...${{ title, crossed, figure, write, picture }} />
        `
      }
    </section>
    <p class="actions">
      <button class="primary" onClick=${() => setTaking(true)}>Take away</button>
    </p>
    ${
      taking &&
      html`
        <${TakeAway}
          path="/v2/query/crosstab"
          request=${request}
          title=${title}
          extras=${extrasOf(picture, title, notesOf(kind, figure), sheetOf(crossed, figure))}
          close=${() => setTaking(false)}
        />
      `
    }
  `;
}

// Rows as lines over the columns, which stand in their order, as waves do.
function Lined({ title, crossed, figure, write, picture }) {
  const series = seriesOf(crossed);
  const lines = crossed.rows.slice(0, mostSeries).map(({ name }, i) => ({
    name,
    points: series.map(({ j }) => pointOf(crossed.cells[i][j], figure)),
  }));
  return html`
    <${Lines} ...${{ title, lines, write, picture }} waves=${series.map(({ name }) => name)} />
  `;
}

// What is written below a picture that is taken away.
function notesOf(kind, figure) {
  const what = measures[figure].title;
  if (kind === "stacked") return [`${what}.`];
  return [`${what}, with intervals of 95 %.`];
}
