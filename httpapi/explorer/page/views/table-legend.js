// What the colours and the marks of a table mean, and what the table does not cover.
import { edges, missing } from "../lib/crossing.js";
import { many } from "../lib/figures.js";
import { html } from "../lib/html.js";

const marks = {
  rest: "▲▼ column % significantly above or below that of the rest of the base",
  previous: "▲▼ column % significantly above or below that of the column before",
  columns: "Letters name the columns whose column % is significantly lower",
};

const steps = [
  ...edges.map((edge, i) => [-i - 1, edge]).reverse(),
  [0, 1],
  ...edges.map((edge, i) => [i + 1, edge]),
];

export function Legend({ crossed, state, compare }) {
  const all = crossed.cells.flat();
  const unmeasured = all.filter((cell) => missing(cell) === "unmeasured").length;
  const parts = all.filter((cell) => !missing(cell) && cell.coverage && !cell.coverage.complete).length;
  const small = all.some(({ statistics }) =>
    ["caution", "withhold"].includes(statistics?.row.intersect_percentage?.quality),
  );
  return html`
    <div class="legend">
      ${
        state.heat !== "off" &&
        html`
          <span class="scale" role="img" aria-label="Index: orange below 100, blue above">
            <span>Index</span>
            ${steps.map(
              ([step, edge]) => html`
                <i class=${`heat${step}`} key=${step}>${Math.round(100 * (step < 0 ? 1 / edge : edge))}</i>
              `,
            )}
          </span>
        `
      }
      ${
        crossed.sure &&
        marks[compare] &&
        html`
          <span>${marks[compare]} (${state.level ?? 95} %).</span>
        `
      }
      ${
        small &&
        html`
          <span>* fewer than 100 respondents, ** fewer than 30.</span>
        `
      }
      ${
        parts > 0 &&
        html`
          <span>
            <i class="corner"></i>
            ${partly(parts, all.length)}
          </span>
        `
      }
      ${
        unmeasured > 0 &&
        html`
          <span>
            <i class="blank"></i>
            ${many(unmeasured, "cell")} never asked together.
          </span>
        `
      }
    </div>
  `;
}

function partly(some, all) {
  return `${many(some, "cell")} of ${all}: counted in a part of the waves and markets only, where all of it was asked.`;
}
