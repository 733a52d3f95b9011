// The table on screen. Its head and its first column stay where they are, and only the lines that are in sight, and
// some around them, are made, so that 500 rows × 50 columns scroll as smoothly as ten.
import { html, useLayoutEffect, useMemo, useRef, useState } from "../lib/html.js";
import { Line } from "./table-cell.js";
import { Head } from "./table-head.js";
import { Gap, inSight, linesOf, useArrows } from "./table-lines.js";
import { Tip } from "./table-tip.js";

export function Grid({ catalogue, crossed, measures, state, change, compare }) {
  const frame = useRef();
  const [sight, setSight] = useState({ top: 0, height: 800 });
  const [told, setTold] = useState(); // the cell that is told about: {line, column, box}
  const lines = useMemo(() => linesOf(crossed, measures[0], state.sort), [crossed, measures[0], state.sort]);
  const heights = useMemo(() => heightsOf(measures.length), [measures.length]);
  const see = () => setSight({ top: frame.current.scrollTop, height: frame.current.clientHeight });
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(see);
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);
  const { begin, end, above, below, tops } = inSight(lines, sight, heights);
  const { place, come, keys } = useArrows({ frame, lines, columns: crossed.columns.length, tops });
  const options = useMemo(
    () => ({ measures, compare, level: Number(state.level ?? 95), heat: state.heat !== "off" }),
    [measures.join(), compare, state.level, state.heat],
  );
  const first = lines.findIndex(({ cells }) => cells);
  const focus = lines[place.line]?.cells ? place : { line: first, column: 0 };
  const tell = (event) => setTold(placeOf(event));
  const hide = () => setTold(undefined);
  const focused = (event) => {
    tell(event);
    if (placeOf(event)) come(placeOf(event));
  };
  const scrolled = () => {
    hide();
    see();
  };
  const wide = crossed.columns.length + 1;
  return html`
    <div class="frame" ref=${frame} onScroll=${scrolled}>
      <table
        class="crosstab"
        role="grid"
        aria-rowcount=${lines.length + 3}
        aria-colcount=${wide}
        style=${{ "--line": `${heights.row}px`, "--group": `${heights.group}px` }}
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
        <tbody onMouseOver=${tell} onMouseLeave=${hide} onFocusIn=${focused} onFocusOut=${hide} onKeyDown=${keys}>
          <${Gap} key="above" height=${above} wide=${wide} />
          ${lines.slice(begin, end).map(
            (line, k) => html`
              <${Line}
                key=${line.key}
                ...${{ line, options }}
                at=${begin + k}
                columns=${crossed.columns}
                focus=${focus.line === begin + k ? focus.column : -1}
              />
            `,
          )}
          <${Gap} key="below" height=${below} wide=${wide} />
        </tbody>
      </table>
      ${
        told &&
        lines[told.line]?.cells &&
        html`
          <${Tip}
            catalogue=${catalogue}
            cell=${lines[told.line].cells[told.column]}
            row=${lines[told.line].row}
            column=${crossed.columns[told.column]}
            compare=${compare}
            box=${told.box}
          />
        `
      }
    </div>
  `;
}

// How high lines are, in pixels, by how many figures a cell shows.
function heightsOf(figures) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return { row: Math.round(rem * Math.max(2.4, 0.75 + 1.25 * figures)), group: Math.round(rem * 2.4) };
}

// The cell that an event is on; undefined if it is on none.
function placeOf({ target }) {
  const cell = target.closest("td[data-column]");
  if (!cell) return undefined;
  const { line, column } = cell.dataset;
  return { line: Number(line), column: Number(column), box: cell.getBoundingClientRect() };
}
