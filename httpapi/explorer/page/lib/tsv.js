// A table as text between tabs, to be pasted into a sheet: what is on screen, with all digits. A line is of a row and a
// figure; what was not measured stays empty.
import { measures as known, missing } from "./crossing.js";

export function tsvOf({ rows, columns, cells, bases }, measures) {
  const head = [
    ["", "", "", ...columns.map(({ group = "" }) => group)],
    ["", "", "", ...columns.map(({ name }) => name)],
    ["", "Respondents", "", ...bases.map((cell) => (missing(cell) ? "" : cell.audiences.column.sample))],
  ];
  const lines = rows.flatMap(({ group = "", name }, i) =>
    measures.map((measure) => [
      group,
      name,
      known[measure].title,
      ...cells[i].map((cell) => figure(cell, measure)),
    ]),
  );
  return tabbed([...head, ...lines]);
}

function figure(cell, measure) {
  const why = missing(cell);
  if (why) return why === "withheld" ? why : "";
  return known[measure].of(cell);
}

// Lines of fields; what is undefined is empty.
export const tabbed = (lines) => lines.map((line) => line.map(field).join("\t")).join("\n") + "\n";

// Tabs and ends of lines would divide a field.
const field = (value = "") => String(value).replace(/[\t\r\n]+/g, " ");
