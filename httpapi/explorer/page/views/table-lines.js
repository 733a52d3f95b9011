// The lines of a table's body, and which of them are in sight.
import { measures, missing } from "../lib/crossing.js";
import { html, useEffect, useRef, useState } from "../lib/html.js";

// How far above and below what is in sight lines are made, too, and in what steps they come and go, in lines.
const around = 8;
const step = 4;

// A heading for each group of rows, and the rows below it, sorted within the group by a measure of a column: "-2" from
// the highest of column 2 down, "2" from the lowest up. What is missing stands last.
export function linesOf({ rows, cells }, measure, sort) {
  const lines = [];
  const column = Math.abs(Number.parseInt(sort, 10));
  const sign = sort?.startsWith("-") ? -1 : 1;
  const value = (i) => (missing(cells[i][column]) ? sign * Infinity : measures[measure].of(cells[i][column]));
  for (const { name, members } of grouped(rows)) {
    if (name) lines.push({ key: `group ${lines.length}`, group: name });
    const sorted = cells[0][column] ? members.toSorted((a, b) => sign * (value(a) - value(b)) || a - b) : members;
    for (const i of sorted) lines.push({ key: i, row: rows[i], cells: cells[i] });
  }
  return lines;
}

// Rows or columns that stand side by side and are of one question: {name, members}, by their places.
export function grouped(all) {
  const groups = [];
  all.forEach(({ group = "", item }, i) => {
    const last = groups.at(-1);
    if (last && last.name === group && last.item === item) last.members.push(i);
    else groups.push({ name: group, item, members: [i] });
  });
  return groups;
}

// Which lines are made while so many pixels are in sight: from begin up to end, with as much room above and below as
// the others would take. Headings are less high than rows.
export function inSight(lines, { top, height }, heights) {
  const heightOf = (line) => (line.cells ? heights.row : heights.group);
  let [begin, end, above, below, at] = [0, lines.length, 0, 0, 0];
  const tops = lines.map((line) => (at += heightOf(line)) - heightOf(line));
  const first = Math.max(
    0,
    tops.findLastIndex((from) => from <= top),
  );
  begin = Math.max(0, Math.floor(first / step) * step - around);
  const last = tops.findIndex((from) => from > top + height);
  if (last >= 0) end = Math.min(lines.length, Math.ceil(last / step) * step + around);
  above = tops[begin] ?? 0;
  below = end < lines.length ? at - tops[end] : 0;
  return { begin, end, above, below, tops };
}

// Room for lines that are not made.
export function Gap({ height, wide }) {
  if (height === 0) return null;
  return html`
    <tr aria-hidden="true"><td class="gap" colspan=${wide} style=${{ height: `${height}px` }}></td></tr>
  `;
}

const arrows = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
};

// Where the focus is in the table, {line, column}, and what moves it: {place, come, keys}. The keys go from where they
// have come to, which may be ahead of the focus while a key is held down; come tells of a focus that came by itself.
// The cell that the focus goes to is brought into sight, where there may be none of it yet.
export function useArrows({ frame, lines, columns, tops }) {
  const at = useRef({ line: -1, column: 0 });
  const [place, setPlace] = useState(at.current);
  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    const box = frame.current;
    const bottom = box.clientHeight - box.querySelector("thead").offsetHeight - 80;
    if (tops[place.line] < box.scrollTop) box.scrollTop = tops[place.line];
    if (tops[place.line] > box.scrollTop + bottom) box.scrollTop = tops[place.line] - bottom;
    requestAnimationFrame(() => {
      box.querySelector(`td[data-line="${at.current.line}"][data-column="${at.current.column}"]`)?.focus();
    });
  }, [place]);
  const come = (to) => {
    if (moved.current || (to.line === at.current.line && to.column === at.current.column)) return;
    at.current = to;
    setPlace(to);
  };
  const keys = (event) => {
    const by = arrows[event.key];
    if (!by) return;
    event.preventDefault();
    const line = nearest(lines, at.current.line + by[0], Math.sign(by[0]));
    const column = Math.min(columns - 1, Math.max(0, at.current.column + by[1]));
    at.current = { line, column };
    moved.current = true;
    setPlace(at.current);
  };
  return { place, come, keys };
}

// The line of cells at a place or next to it, on in the same direction first.
function nearest(lines, wanted, direction) {
  const from = Math.min(lines.length - 1, Math.max(0, wanted));
  for (let line = from; lines[line]; line += direction || 1) if (lines[line].cells) return line;
  return lines.findIndex(({ cells }) => cells);
}
