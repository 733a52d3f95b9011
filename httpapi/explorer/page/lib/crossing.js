// What a table asks the interface, and what its answer says. The table's columns are asked for in one request, and
// the total, which would count as one more column wherever columns are compared, in another; each has a last row of
// everyone, which tells the base of every column.
import { ask } from "./api.js";
import { everyone } from "./expression.js";

// Of more cells than these it is not asked how sure they are: an answer would be too long to be quick.
export const mostSure = 6000;

// As many columns can be compared with each other, and not more.
export const mostCompared = 60;

const total = { name: "Total", expression: everyone };

export function scopeOf(state) {
  return {
    ...(state.base && { base_audience: { expression: state.base } }),
    ...(state.waves?.length && { waves: state.waves }),
    ...(state.locations?.length && { locations: state.locations }),
  };
}

// What is compared: "rest" unless the address says "columns", "previous" or "none".
export function comparison(state, columns) {
  const compare = state.compare ?? "rest";
  return compare === "columns" && columns.length > mostCompared ? "none" : compare;
}

// The request of a table, as one would write it: it is what is taken away. Without columns it is of the total alone.
export function crosstabRequest(state, rows, columns) {
  const compare = comparison(state, columns);
  return {
    rows: rows.map(audience),
    ...(columns.length && { columns: columns.map(audience) }),
    ...scopeOf(state),
    ...(rows.length * columns.length <= mostSure && {
      statistics: {
        ...(columns.length && compare !== "none" && { compare: [compare], correction: state.correction ?? "holm" }),
        ...(state.level && { level: Number(state.level) }),
      },
    }),
  };
}

function audience({ name, expression }) {
  return { name, expression };
}

// The table itself: {rows, columns, cells, bases, statistics}, where cells[i][j] is of row i and column j; column 0 is
// the total, and bases[j] is the row of everyone.
export async function cross(state, rows, columns, signal) {
  const asked = crosstabRequest(state, rows, columns);
  const withBases = { ...asked, rows: [...asked.rows, total], coverage: true, echo: false };
  const alone = { ...withBases, columns: [], ...(asked.statistics && { statistics: level(asked.statistics) }) };
  const requests = columns.length ? [alone, withBases] : [alone];
  const answers = await Promise.all(
    requests.map((request) => ask("/v2/query/crosstab?stream=false", request, { signal })),
  );
  const [totals, crossed] = answers.map(({ data }) => data);
  const wide = columns.length;
  const cells = [...rows, total].map((_, i) => [totals[i], ...(crossed ?? []).slice(i * wide, (i + 1) * wide)]);
  return {
    rows,
    columns: [total, ...columns],
    cells: cells.slice(0, -1),
    bases: cells.at(-1),
    sure: Boolean(asked.statistics),
  };
}

// The level alone: the total is compared with nothing.
function level({ level: percent }) {
  return percent === undefined ? {} : { level: percent };
}

// The figures that a cell can show, by name: what it is called, its value and its interval.
export const measures = {
  column: {
    title: "Column %",
    of: (cell) => cell.audiences.row.intersect_percentage,
    kind: "percent",
    interval: (cell) => cell.statistics?.row.intersect_percentage,
  },
  row: {
    title: "Row %",
    of: (cell) => cell.audiences.column.intersect_percentage,
    kind: "percent",
    interval: (cell) => cell.statistics?.column.intersect_percentage,
  },
  index: {
    title: "Index",
    of: (cell) => cell.intersect.index,
    kind: "index",
    interval: (cell) => cell.statistics?.intersect.index,
  },
  size: {
    title: "People",
    of: (cell) => cell.intersect.size,
    kind: "count",
    interval: (cell) => cell.statistics?.intersect.size,
  },
  sample: { title: "Respondents", of: (cell) => cell.intersect.sample, kind: "count", interval: () => undefined },
};

export const defaultMeasures = ["column", "index"];

// Why a cell shows nothing: "unmeasured" or "withheld"; undefined where it shows its figures.
export function missing(cell) {
  if (cell.withheld) return "withheld";
  return cell.base.sample === 0 ? "unmeasured" : undefined;
}

// How a cell's column % differs from what it is compared with: 1 significantly above, -1 below, 0 neither. As in the
// rule of the interface, a share that is 0 or to be withheld is never significant, on either side. The cell before
// stands in the column before.
export function direction(cell, compare, confidence, before) {
  const test = cell.statistics?.[compare];
  if (!test || test.adjusted_p > 1 - confidence / 100 || unsound(cell)) return 0;
  if (compare === "previous" && unsound(before)) return 0;
  if (compare === "rest") {
    const outside = cell.base.sample - cell.audiences.column.sample;
    if (outside < fewest || cell.audiences.row.sample === cell.intersect.sample) return 0;
  }
  return Math.sign(test.difference);
}

// Of fewer respondents a percentage is to be withheld, as the interface has it unless it is told otherwise.
const fewest = 30;

function unsound(cell) {
  return cell.intersect.sample === 0 || cell.statistics.row.intersect_percentage?.quality === "withhold";
}

// The step of the heat map that an index is on, from -5 to 5; 0 is about 100, or of nobody.
export function heat(cell) {
  const { row, column } = cell.audiences;
  if (row.sample === 0 || column.sample === 0) return 0;
  if (cell.intersect.size === 0) return -edges.length;
  const far = Math.abs(Math.log(cell.intersect.index / 100));
  const step = edges.filter((edge) => far >= Math.log(edge)).length;
  return cell.intersect.index > 100 ? step : -step;
}

// An index of 110 is as far from 100 as one of 91.
export const edges = [1.1, 1.2, 1.4, 1.7, 2.2];
