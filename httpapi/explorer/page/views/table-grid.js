// The table on screen. Its head and its first column stay where they are, and only the rows that are in sight (and some
// around them) are made, so that 500 rows × 50 columns scroll as smoothly as ten.
import { letter } from "../lib/axis.js";
import { measures as known, missing } from "../lib/crossing.js";
import { count } from "../lib/figures.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../lib/html.js";
import { Line } from "./table-cell.js";
import { Tip } from "./table-tip.js";

// Rows above and below those in sight that are made too, and how many of them come and go at a time.
const around = 6;
const step = 4;

export function Grid({ crossed, measures, state, change, compare }) {
  const frame = useRef();
  const [{ top, height }, setSight] = useState({ top: 0, height: 800 });
  const [place, setPlace] = useState({ line: 0, column: 0 }); // what the arrow keys have come to
  const [told, setTold] = useState(); // the cell that is told about: {line, column, box}
  const lines = useMemo(() => linesOf(crossed, measures[0], state.sort), [crossed, measures.join(), state.sort]);
  const lineHeight = useMemo(() => rem() * Math.max(2.3, 0.75 + 1.25 * measures.length), [measures.length]);
  useLayoutEffect(() => {
    const see = () => setSight({ top: frame.current.scrollTop, height: frame.current.clientHeight });
    const watcher = new ResizeObserver(see);
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);
  const begin = Math.max(0, Math.floor(top / lineHeight / step) * step - around);
  const end = Math.min(lines.length, Math.ceil((top + height) / lineHeight / step) * step + around);
  const cellAt = (event) => {
    const cell = event.target.closest("td[data-column]");
    return (
      cell && {
        line: Number(cell.dataset.line),
        column: Number(cell.dataset.column),
        box: cell.getBoundingClientRect(),
      }
    );
  };
  const move = useArrows({ frame, lines, columns: crossed.columns.length, lineHeight, place, setPlace });
  const options = useMemo(
    () => ({ measures, compare, level: Number(state.level ?? 95), heat: state.heat !== "off" }),
    [measures.join(), compare, state.level, state.heat],
  );
  const wide = crossed.columns.length + 1;
  return html`
    <div
      class="frame"
      ref=${frame}
      onScroll=${() => {
        setTold(undefined);
        setSight({ top: frame.current.scrollTop, height: frame.current.clientHeight });
      }}
    >
      <table
        class="crosstab"
        role="grid"
        aria-rowcount=${lines.length + 3}
        aria-colcount=${wide}
        style=${{ "--line": `${lineHeight}px` }}
      >
        <colgroup>
          <col class="names" />
          ${crossed.columns.map(
            (_, j) => html`
              <col key=${j} class="figures" />
            `,
          )}
        </colgroup>
        <${Head} ...${{ crossed, compare, state, change }} />
        <tbody
          onMouseOver=${(event) => setTold(cellAt(event))}
          onMouseLeave=${() => setTold(undefined)}
          onFocusIn=${(event) => setTold(cellAt(event))}
          onFocusOut=${() => setTold(undefined)}
          onKeyDown=${move}
        >
          ${
            begin > 0 &&
            html`
              <tr key="above" aria-hidden="true">
                <td class="gap" colspan=${wide} style=${{ height: `${begin * lineHeight}px` }}></td>
              </tr>
            `
          }
          ${lines.slice(begin, end).map(
            (line, k) => html`
              <${Line}
                key=${line.key}
                ...${{ line, options }}
                at=${begin + k}
                columns=${crossed.columns}
                current=${place.line === begin + k ? place.column : -1}
              />
            `,
          )}
          ${
            end < lines.length &&
            html`
              <tr key="below" aria-hidden="true">
                <td class="gap" colspan=${wide} style=${{ height: `${(lines.length - end) * lineHeight}px` }}></td>
              </tr>
            `
          }
        </tbody>
      </table>
      ${
        told &&
        lines[told.line]?.cells &&
        html`
          <${Tip}
            cell=${lines[told.line].cells[told.column]}
            row=${lines[told.line].row}
            column=${crossed.columns[told.column]}
            ...${{ compare, box: told.box }}
          />
        `
      }
    </div>
  `;
}

const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

// The lines of the body: a heading for each group of rows, and the rows below it, sorted within the group.
function linesOf({ rows, cells }, measure, sort) {
  const lines = [];
  const groups = [];
  rows.forEach((row, i) => {
    const last = groups.at(-1);
    if (last && last.name === row.group && last.item === row.item) last.rows.push(i);
    else groups.push({ name: row.group, item: row.item, rows: [i] });
  });
  const column = Math.abs(Number.parseInt(sort, 10));
  const sign = sort?.startsWith("-") ? -1 : 1;
  const value = (i) => (missing(cells[i][column]) ? -sign * Infinity : known[measure].of(cells[i][column]));
  for (const [g, { name, rows: inside }] of groups.entries()) {
    if (name) lines.push({ key: `group ${g}`, group: name });
    const ordered = cells[0]?.[column] ? inside.toSorted((a, b) => sign * (value(a) - value(b)) || a - b) : inside;
    for (const i of ordered) lines.push({ key: i, row: rows[i], cells: cells[i] });
  }
  return lines;
}

// The head: the groups of columns, their names, and whom each is a share of.
function Head({ crossed: { columns, bases }, compare, state, change }) {
  const groups = [];
  columns.forEach(({ group = "", item }) => {
    const last = groups.at(-1);
    if (last && last.name === group && last.item === item) last.width++;
    else groups.push({ name: group, item, width: 1 });
  });
  const sorted = Number.parseInt(state.sort, 10);
  const direction = (j) =>
    state.sort === undefined || Math.abs(sorted) !== j
      ? "none"
      : state.sort.startsWith("-")
        ? "descending"
        : "ascending";
  const sort = (j) => ({ none: `-${j}`, descending: `${j}`, ascending: undefined })[direction(j)];
  return html`
    <thead>
      <tr class="groups">
        <td></td>
        ${groups.map(
          ({ name, width }, g) => html`
            <th scope="colgroup" key=${g} colspan=${width}><span title=${name}>${name}</span></th>
          `,
        )}
      </tr>
      <tr class="columns">
        <td></td>
        ${columns.map(
          ({ name, net }, j) => html`
            <th scope="col" key=${j} class=${net ? "net" : ""} aria-sort=${direction(j)}>
              <button class="plain" title=${`${name}: sort`} onClick=${() => change({ sort: sort(j) })}>
                <span>${name}</span>
                <i aria-hidden="true">${{ none: "", descending: "↓", ascending: "↑" }[direction(j)]}</i>
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

// Moves the focus from cell to cell by the arrow keys, and brings a cell into sight that is not there.
function useArrows({ frame, lines, columns, lineHeight, place, setPlace }) {
  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    const head = frame.current.querySelector("thead").offsetHeight;
    const from = place.line * lineHeight;
    const sight = frame.current.clientHeight - head - lineHeight;
    if (from < frame.current.scrollTop) frame.current.scrollTop = from;
    if (from > frame.current.scrollTop + sight) frame.current.scrollTop = from - sight;
    requestAnimationFrame(() =>
      frame.current?.querySelector(`td[data-line="${place.line}"][data-column="${place.column}"]`)?.focus(),
    );
  }, [place]);
  return (event) => {
    const by = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      PageUp: [-15, 0],
      PageDown: [15, 0],
    }[event.key];
    if (!by) return;
    event.preventDefault();
    const cell = event.target.closest("td[data-column]");
    let line = Math.min(lines.length - 1, Math.max(0, Number(cell.dataset.line) + by[0]));
    while (lines[line] && !lines[line].cells) line += by[0] < 0 && line > 0 ? -1 : 1;
    const column = Math.min(columns - 1, Math.max(0, Number(cell.dataset.column) + by[1]));
    moved.current = true;
    setPlace({ line, column });
  };
}
