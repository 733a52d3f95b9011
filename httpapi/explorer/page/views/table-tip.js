// All that is known of a cell, beside it while the pointer or the focus is there.
import { measures } from "../lib/crossing.js";
import { count, ends, index, listed, percent, points, probability } from "../lib/figures.js";
import { html, useLayoutEffect, useRef } from "../lib/html.js";
import { few } from "./table-cell.js";

const write = { count, index, percent };
const compared = { rest: "Against the rest", previous: "Against the column before" };

export function Tip({ catalogue, cell, row, column, compare, box }) {
  const tip = useRef();
  useLayoutEffect(() => {
    const { offsetWidth: width, offsetHeight: height, style } = tip.current;
    const below = box.bottom + 8 + height < innerHeight;
    style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
    style.top = `${below ? box.bottom + 8 : Math.max(8, box.top - height - 8)}px`;
  }, [cell, box]);
  return html`
    <div class="tip" role="tooltip" ref=${tip}>
      <strong>${row.name} × ${column.name}</strong>
      ${facts(cell, compare, catalogue)}
    </div>
  `;
}

function facts(cell, compare, catalogue) {
  if (cell.withheld)
    return html`
      <p>Withheld: it tells of fewer respondents than your key may be told of.</p>
    `;
  if (cell.base.sample === 0) {
    return html`
      <p>Not measured: what meets here was never asked together in the waves and markets chosen.</p>
    `;
  }
  const { base, statistics, coverage } = cell;
  const lines = Object.values(measures).map(({ title, of, kind, interval }) => [
    title,
    write[kind](of(cell)),
    ends(interval(cell), write[kind]),
  ]);
  if (statistics) lines.push(["Effective sample", count(statistics.intersect.effective_sample), ""]);
  lines.push(["Base", count(base.size), `${count(base.sample)} respondents`]);
  const test = statistics?.[compare];
  if (test?.difference !== undefined) {
    lines.push([compared[compare], `${points(test.difference)} points`, `p ${probability(test.adjusted_p)}`]);
  }
  const quality = statistics?.row.intersect_percentage?.quality;
  return html`
    <table>
      <tbody>
        ${lines.map(
          ([name, value, more]) => html`
            <tr>
              <th scope="row">${name}</th>
              <td>${value}</td>
              <td class="faint">${more}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
    ${
      few[quality] &&
      html`
        <p>${few[quality]}</p>
      `
    }
    ${
      coverage &&
      html`
        <p class="faint">${covered(coverage, catalogue)}</p>
      `
    }
  `;
}

function covered({ waves: waveCodes, locations: locationCodes, complete, partly_asked: partly }, catalogue) {
  const [waves, locations] = [waveCodes, locationCodes].map((codes) => codes.map((code) => catalogue.name(code)));
  const where = complete
    ? `Counted in all waves and markets chosen: ${listed(waves, 5)}.`
    : `Counted where all of it was asked: ${listed(waves, 5)} in ${listed(locations, 6)}.`;
  const missed = partly.map(({ datapoint_code: code }) => code);
  return where + (missed.length ? ` Not asked in all of it: ${listed(missed)}.` : "");
}
