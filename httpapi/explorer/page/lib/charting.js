// What a chart shows of a table: its rows as bars or lines, its columns as series, and where a figure stands.
import { heat, measures, missing } from "./crossing.js";
import { ceiling, marksUpTo } from "./scales.js";

// More series can't be told apart, and more rows not be read.
export const mostSeries = 8;
export const mostRows = 60;

export const kinds = { bars: "Bars", stacked: "Stacked to 100 %", lines: "Lines" };

// The figures that a chart can be of.
export const figures = ["column", "row", "index"];

// The columns that become series: those of the table, or the total where there are no others.
export function seriesOf({ columns }) {
  const places = columns.length > 1 ? columns.slice(1).map((_, j) => j + 1) : [0];
  return places.map((j) => ({ j, name: columns[j].name }));
}

// What stands at a cell: {value, low, high, quality}, or why there is nothing.
export function pointOf(cell, figure) {
  const { of, interval } = measures[figure];
  const why = missing(cell) ?? (nobody(cell, figure) ? "unmeasured" : undefined);
  if (why) return { missing: why };
  const ends = interval(cell);
  return { value: of(cell), low: ends?.low, high: ends?.high, quality: ends?.quality ?? "ok", heat: heat(cell) };
}

// A share of nobody is no share, and is not drawn as one of 0.
function nobody({ audiences: { row, column } }, figure) {
  if (figure === "column") return column.sample === 0;
  return figure === "row" ? row.sample === 0 : row.sample === 0 || column.sample === 0;
}

// A scale from 0 to 1 for the figures: from 0 % up, or indexes around 100, where 50 is as far as 200.
export function scaleFor(points, figure) {
  const values = points
    .flatMap(({ value, high, low }) => [value, low, high])
    .filter((value) => value !== undefined);
  if (figure !== "index") {
    const most = Math.min(100, ceiling(Math.max(1, ...values)));
    return { zero: 0, place: (value) => Math.min(1, value / most), marks: marksUpTo(most) };
  }
  const far = values.filter((value) => value > 0).map((value) => Math.abs(Math.log2(value / 100)));
  const most = Math.min(3, Math.max(1, ...far) * 1.05);
  const place = (value) => (value > 0 ? 0.5 + 0.5 * Math.max(-1, Math.min(1, Math.log2(value / 100) / most)) : 0);
  return {
    zero: 0.5,
    place,
    marks: [12.5, 25, 50, 100, 200, 400, 800].filter((mark) => place(mark) > 0 && place(mark) < 1),
  };
}

// The parts of a column that is stacked: of the rows of the table's first question, without its nets, each by its share
// of all of them together. told is the column % itself.
export function stackOf({ rows, cells }, j) {
  const parts = rows
    .map((row, i) => ({ row, cell: cells[i][j], i }))
    .filter(({ row }) => row.item === rows[0].item && !row.net)
    .map(({ row, cell, i }) => ({ name: row.name, i, point: pointOf(cell, "column") }));
  const sum = parts.reduce((all, { point }) => all + (point.value ?? 0), 0);
  let from = 0;
  return {
    sum,
    parts: parts.map(({ name, i, point }) => {
      const share = sum > 0 ? (point.value ?? 0) / sum : 0;
      from += share;
      return { name, i, told: point.value, missing: point.missing, from: from - share, share };
    }),
  };
}

// The figures of a chart as rows of a sheet.
export function sheetOf(crossed, figure) {
  const series = seriesOf(crossed);
  return [
    ["", ...series.flatMap(({ name }) => [name, `${name} low`, `${name} high`])],
    ...crossed.rows.map(({ name }, i) => [
      name,
      ...series.flatMap(({ j }) => {
        const { value, low, high } = pointOf(crossed.cells[i][j], figure);
        return [value, low, high];
      }),
    ]),
  ];
}
