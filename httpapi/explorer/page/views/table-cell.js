// A row of the table, and the figures in its cells.
import { letter } from "../lib/axis.js";
import { direction, heat, measures as known, missing } from "../lib/crossing.js";
import { count, index, percent } from "../lib/figures.js";
import { html, kept } from "../lib/html.js";

const write = { count, index, percent };

// A line of the table: {group} or {row, cells}. Where the keys have come to this line, focus is the column.
export const Line = kept(({ line, at, columns, focus, options }) => {
  if (!line.cells) {
    return html`
      <tr class="group" aria-rowindex=${at + 4}>
        <th scope="rowgroup" colspan=${columns.length + 1}><span title=${line.group}>${line.group}</span></th>
      </tr>
    `;
  }
  const { name, net } = line.row;
  return html`
    <tr aria-rowindex=${at + 4} class=${net ? "net" : ""}>
      <th scope="row" title=${name}><span>${name}</span></th>
      ${line.cells.map(
        (cell, j) => html`
          <${Cell}
            key=${j}
            ...${{ cell, at, options }}
            column=${j}
            before=${line.cells[j - 1]}
            focused=${focus === j}
          />
        `,
      )}
    </tr>
  `;
});

function Cell({ cell, before, at, column, focused, options: { measures, compare, level, heat: heated } }) {
  const place = { "data-line": at, "data-column": column, tabindex: focused ? 0 : -1 };
  const why = missing(cell);
  if (why) {
    return html`
      <td ...${place} class=${why}>
        <span class=${why === "withheld" ? "" : "spoken"}>${why === "withheld" ? why : "not measured"}</span>
      </td>
    `;
  }
  const quality = cell.statistics?.row.intersect_percentage?.quality ?? (cell.statistics ? "withhold" : "ok");
  const tone = heated && column > 0 ? ` heat${heat(cell)}` : "";
  const part = cell.coverage && !cell.coverage.complete ? " part" : "";
  return html`
    <td ...${place} class=${`${quality}${tone}${part}`}>
      ${measures.map(
        (name, i) => html`
          <div key=${name} class=${name}>
            ${
              i === 0 &&
              column > 0 &&
              html`
                <${Marks} ...${{ cell, before, compare, level }} />
              `
            }
            <span class="number">${write[known[name].kind](known[name].of(cell))}</span>
            ${
              i === 0 &&
              quality !== "ok" &&
              html`
                <sup title=${few[quality]}>${quality === "caution" ? "*" : "**"}</sup>
              `
            }
          </div>
        `,
      )}
    </td>
  `;
}

// What a mark of few respondents means.
export const few = {
  caution: "fewer than 100 respondents: read with caution",
  withhold: "fewer than 30 respondents: better not published",
};

function Marks({ cell, before, compare, level }) {
  if (compare === "columns") {
    const higher = cell.statistics?.columns?.higher_than ?? [];
    return (
      higher.length > 0 &&
      html`
        <span class="marks letters">${higher.map((j) => letter(j - 1)).join(" ")}</span>
      `
    );
  }
  const sign = direction(cell, compare, level, before);
  if (sign === 0) return null;
  return html`
    <span class=${`marks ${sign > 0 ? "up" : "down"}`}>
      <span aria-hidden="true">${sign > 0 ? "▲" : "▼"}</span>
      <span class="spoken">${sign > 0 ? "above" : "below"}</span>
    </span>
  `;
}
