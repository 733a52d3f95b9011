import type { CrosstabCell, Interval, PercentageInterval } from "../../dist/index.js";

/** Which share of a cell is shown: that of the column that is in the row, or that of the row that is in the column. */
export type Shown = "row" | "column";

const tenths = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** A percentage or an index with one decimal place. */
export function decimal(value: number): string {
  return tenths.format(value);
}

/** Respondents. */
export function count(value: number): string {
  return whole.format(value);
}

/** People: a survey that stands for few has decimal places. */
export function people(value: number): string {
  return Math.abs(value) < 1000 ? tenths.format(value) : whole.format(value);
}

/** The ends of an interval behind a figure; nothing where there is none. */
export function ends(interval: Interval | undefined, format: (value: number) => string): string {
  return interval ? ` (${format(interval.low)} to ${format(interval.high)})` : "";
}

/** How sure the share that is shown is. A share of nobody has no interval. */
export function sureness(cell: CrosstabCell, shown: Shown): PercentageInterval | undefined {
  return cell.statistics?.[shown].intersect_percentage;
}

/** Whether a share is to be withheld, or read with caution. */
export function quality(cell: CrosstabCell, shown: Shown): "ok" | "caution" | "withhold" {
  return sureness(cell, shown)?.quality ?? "withhold";
}

/**
 * Whether the column differs from the rest of everyone, as tests at 95 % say: 1 above, -1 below, 0 neither. Shares of
 * nobody, and those that are to be withheld, are never said to differ.
 */
export function differs(cell: CrosstabCell): -1 | 0 | 1 {
  const rest = cell.statistics?.rest;
  if (!rest || rest.adjusted_p > 0.05 || quality(cell, "row") === "withhold") return 0;
  if (cell.audiences.row.intersect_percentage === 0) return 0;
  return rest.difference > 0 ? 1 : -1;
}

/** Marks of a cell, for those who see them and for those who hear them. */
export function marks(cell: CrosstabCell, shown: Shown): { sign: string; words: string }[] {
  const list = [];
  const direction = differs(cell);
  if (direction > 0) list.push({ sign: "▲", words: "above the rest" });
  if (direction < 0) list.push({ sign: "▼", words: "below the rest" });
  const q = quality(cell, shown);
  if (q === "caution") list.push({ sign: "*", words: "read with caution" });
  if (q === "withhold") list.push({ sign: "**", words: "better withheld" });
  if (cell.coverage && !cell.coverage.complete) list.push({ sign: "◐", words: "asked in a part" });
  return list;
}

/** Where an index stands on a scale of its logarithm: 0 at 100, 1 at 200 and above, -1 at 50 and below. */
export function lean(index: number): number {
  return index > 0 ? Math.max(-1, Math.min(1, Math.log2(index / 100))) : -1;
}
