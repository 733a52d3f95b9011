import type { CrosstabCell } from "../../dist/index.js";
import { count, decimal, ends, people } from "./words.js";

/** Tells all of a cell, in words. */
export function tell(place: HTMLElement, row: string, column: string, cell: CrosstabCell): void {
  const title = document.createElement("h3");
  title.textContent = `${row} × ${column}`;
  const list = document.createElement("dl");
  for (const [name, value] of facts(cell)) {
    const pair = document.createElement("div");
    const term = document.createElement("dt");
    term.textContent = name;
    const figure = document.createElement("dd");
    figure.textContent = value;
    pair.append(term, figure);
    list.append(pair);
  }
  place.replaceChildren(title, list);
  place.hidden = false;
}

/** The figures of a cell, with how sure they are. */
function facts(cell: CrosstabCell): [string, string][] {
  if (cell.base.sample === 0) return [["Not measured", "What meets here was never asked together."]];
  const { audiences, base, intersect, statistics } = cell;
  const percent = (value: number) => `${decimal(value)} %`;
  const list: [string, string][] = [
    ["Column %", percent(audiences.row.intersect_percentage) + ends(statistics?.row.intersect_percentage, percent)],
    ["Row %", percent(audiences.column.intersect_percentage) + ends(statistics?.column.intersect_percentage, percent)],
    ["Index", decimal(intersect.index) + ends(statistics?.intersect.index, decimal)],
    ["People", people(intersect.size) + ends(statistics?.intersect.size, people)],
    [
      "Respondents",
      `${count(intersect.sample)}, as sure as ${count(statistics?.intersect.effective_sample ?? 0)} of equal weight`,
    ],
    ["Within", `${people(base.size)} people, ${count(base.sample)} respondents`],
  ];
  const rest = statistics?.rest;
  if (rest) {
    const points = `${rest.difference > 0 ? "+" : ""}${decimal(rest.difference)} points`;
    list.push(["Against the rest", `${points}, p ${probability(rest.adjusted_p)} corrected`]);
  }
  if (cell.coverage) list.push(["Counted in", covered(cell)]);
  return list;
}

function probability(p: number): string {
  return p < 0.001 ? "< 0.001" : `= ${p.toFixed(3)}`;
}

function covered(cell: CrosstabCell): string {
  const { namespace, waves, locations, complete, partly_asked: partly } = cell.coverage!;
  const where = complete ? "all waves and locations chosen" : `${waves.join(", ")} in ${locations.join(", ")}`;
  const missed = partly.map((d) => `${d.question_code}:${d.datapoint_code}`);
  return `${namespace}: ${where}` + (missed.length ? `; ${missed.join(", ")} not asked everywhere` : "");
}
