// Bars with their intervals, a group of them for each row of a table; and columns stacked to 100 %.
import { mostRows, pointOf, scaleFor, seriesOf, stackOf } from "../lib/charting.js";
import { html } from "../lib/html.js";
import { Key, useWidth } from "./lines.js";

const thick = 16;
const head = 26;

const letters = 6.6; // pixels that a letter takes, about

const cut = (name, room) =>
  name.length * letters > room ? `${name.slice(0, Math.max(1, Math.floor(room / letters) - 1))}…` : name;

// The names of rows stand on the left; on narrow screens above their bars.
export function Bars({ title, crossed, figure, write, picture }) {
  const [place, width] = useWidth();
  const series = seriesOf(crossed);
  const rows = crossed.rows.slice(0, mostRows);
  const points = rows.map((_, i) => series.map(({ j }) => pointOf(crossed.cells[i][j], figure)));
  const scale = scaleFor(points.flat(), figure);
  const narrow = width < 560;
  const left = narrow ? 4 : Math.min(260, width * 0.3);
  const x = (value) => left + scale.place(value) * (width - left - 64);
  const above = narrow ? 20 : 0;
  const high = above + series.length * thick + 12;
  const groups = headed(rows);
  const tops = rows.map((_, i) => head + i * high + groups.slice(0, i + 1).filter(Boolean).length * head);
  const height = (tops.at(-1) ?? 0) + high + 8;
  return html`
    <div class="drawing" ref=${place}>
      ${
        series.length > 1 &&
        html`
          <${Key} names=${series.map(({ name }) => name)} />
        `
      }
      <svg
        ref=${picture}
        width=${width}
        height=${height}
        viewBox="0 0 ${width} ${height}"
        role="img"
        aria-label=${title}
      >
        ${scale.marks.map(
          (mark) => html`
            <g key=${mark}>
              <line
                class=${mark === (figure === "index" ? 100 : 0) ? "zero" : "grid"}
                x1=${x(mark)}
                x2=${x(mark)}
                y1="20"
                y2=${height}
              />
              <text class="tick" x=${x(mark)} y="13" text-anchor="middle">${mark}</text>
            </g>
          `,
        )}
        ${rows.map((row, i) => {
          const top = tops[i];
          const middle = narrow ? top + 14 : top + (series.length * thick) / 2 + 4;
          return html`
            <g key=${i}>
              ${
                groups[i] &&
                html`
                  <text class="group" x="4" y=${top - 8}>${cut(groups[i], width - 8)}</text>
                `
              }
              <text x=${narrow ? 4 : left - 8} y=${middle} text-anchor=${narrow ? "start" : "end"}>
                ${cut(row.name, narrow ? width - 8 : left - 12)}
                <title>${row.name}</title>
              </text>
              ${points[i].map(
                (point, k) => html`
                  <${Bar}
                    key=${k}
                    ...${{ point, x, k, write }}
                    zero=${left + scale.zero * (width - left - 64)}
                    y=${top + above + k * thick}
                  />
                `,
              )}
            </g>
          `;
        })}
      </svg>
    </div>
  `;
}

// The group that begins at each row; undefined where the row before is of the same.
function headed(rows) {
  const several = new Set(rows.map(({ group }) => group)).size > 1;
  return rows.map(({ group }, i) => (several && group && group !== rows[i - 1]?.group ? group : undefined));
}

function Bar({ point, x, y, k, zero, write }) {
  if (point.missing)
    return html`
      <text class="tick" x=${zero + 4} y=${y + 12}>
        ${point.missing === "withheld" ? "withheld" : "not asked together"}
      </text>
    `;
  const end = x(point.value);
  const label = Math.max(end, point.high === undefined ? end : x(point.high), zero) + 5;
  return html`
    <g class=${`series series${k % 8} ${["caution", "withhold"].includes(point.quality) ? "unsure" : ""}`}>
      <rect
        class="fill"
        x=${Math.min(zero, end)}
        width=${Math.abs(end - zero)}
        y=${y + 2}
        height=${thick - 4}
        rx="1.5"
      />
      ${
        point.low !== undefined &&
        html`
          <line class="ends" x1=${x(point.low)} x2=${x(point.high)} y1=${y + thick / 2} y2=${y + thick / 2} />
        `
      }
      <text class="value" x=${label} y=${y + 12}>${write(point.value)}</text>
    </g>
  `;
}

// A bar for each column, of all the answers to the table's first question.
export function Stacks({ title, crossed, write, picture }) {
  const [place, width] = useWidth();
  const series = seriesOf(crossed);
  const stacks = series.map(({ j }) => stackOf(crossed, j));
  const narrow = width < 560;
  const left = narrow ? 4 : Math.min(220, width * 0.25);
  const above = narrow ? 20 : 0;
  const high = 34 + above;
  const room = width - left - 8;
  const height = series.length * high + 12;
  return html`
    <div class="drawing" ref=${place}>
      <${Key} names=${stacks[0].parts.map(({ name }) => name)} />
      <svg
        ref=${picture}
        width=${width}
        height=${height}
        viewBox="0 0 ${width} ${height}"
        role="img"
        aria-label=${title}
      >
        ${stacks.map(
          ({ parts, sum }, k) => html`
            <g key=${k}>
              <text
                x=${narrow ? 4 : left - 8}
                y=${k * high + (narrow ? 16 : 24)}
                text-anchor=${narrow ? "start" : "end"}
              >
                ${cut(series[k].name, narrow ? room : left - 12)}
              </text>
              ${
                sum === 0 &&
                html`
                  <text class="tick" x=${left} y=${k * high + above + 24}>not asked together</text>
                `
              }
              ${parts.map(
                ({ name, i, told, from, share }) =>
                  share > 0 &&
                  html`
                    <g key=${i} class=${`series series${i % 8}`}>
                      <title>${series[k].name}, ${name}: ${write(told)}</title>
                      <rect
                        class="fill"
                        x=${left + from * room}
                        width=${Math.max(0, share * room - 1)}
                        y=${k * high + above + 6}
                        height="26"
                      />
                      ${
                        share * room > 38 &&
                        html`
                          <text
                            class="inside"
                            x=${left + (from + share / 2) * room}
                            y=${k * high + above + 23}
                            text-anchor="middle"
                          >
                            ${write(told)}
                          </text>
                        `
                      }
                    </g>
                  `,
              )}
            </g>
          `,
        )}
      </svg>
    </div>
  `;
}
