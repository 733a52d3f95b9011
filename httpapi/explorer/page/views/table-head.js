// The head of the table: the groups of columns, their names, by which rows are sorted, and whom each is a share of.
import { letter } from "../lib/axis.js";
import { missing } from "../lib/crossing.js";
import { count } from "../lib/figures.js";
import { html } from "../lib/html.js";
import { grouped } from "./table-lines.js";

export function Head({ crossed: { columns, bases }, compare, state, change }) {
  const groups = grouped(columns);
  const sort = (j) => change({ sort: after[order(state.sort, j)](j) });
  return html`
    <thead>
      <tr class="groups">
        <td></td>
        ${groups.map(({ name, members }, g) =>
          name
            ? html`
                <th scope="colgroup" key=${g} colspan=${members.length}><span title=${name}>${name}</span></th>
              `
            : html`
                <td key=${g} colspan=${members.length}></td>
              `,
        )}
      </tr>
      <tr class="columns">
        <td></td>
        ${columns.map(
          ({ name, net }, j) => html`
            <th scope="col" key=${j} class=${net ? "net" : ""} aria-sort=${order(state.sort, j)}>
              <button class="plain" title=${`${name}: sort`} onClick=${() => sort(j)}>
                <span>${name}</span>
                <i aria-hidden="true">${arrow[order(state.sort, j)]}</i>
              </button>
              ${
                compare === "columns" &&
                j > 0 &&
                html`
                  <b class="letter">${letter(j - 1)}</b>
                `
              }
            </th>
          `,
        )}
      </tr>
      <tr class="bases">
        <th scope="row">Respondents</th>
        ${bases.map(
          (cell, j) => html`
            <td key=${j} class=${cell.audiences.column.sample < 100 ? "few" : ""}>
              ${missing(cell) ? "" : count(cell.audiences.column.sample)}
            </td>
          `,
        )}
      </tr>
    </thead>
  `;
}

const arrow = { none: "", descending: "↓", ascending: "↑" };

// How rows are sorted by a column, and what a click makes of it: down from the highest, up from the lowest, not at all.
function order(sort, column) {
  if (sort === undefined || Math.abs(Number.parseInt(sort, 10)) !== column) return "none";
  return sort.startsWith("-") ? "descending" : "ascending";
}

const after = { none: (j) => `-${j}`, descending: (j) => `${j}`, ascending: () => undefined };
