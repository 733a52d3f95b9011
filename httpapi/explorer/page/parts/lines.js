// Lines over waves, each with a band for its intervals, drawn as one picture that can be taken away. Where a wave has
// no point the line is broken. A line is told by its name at its end, by its colour and by the shape of its points.
import { html, useLayoutEffect, useRef, useState } from "../lib/html.js";
import { ceiling, marksUpTo, spread } from "../lib/scales.js";

const height = 370;
const top = 16;
const bottom = 34;
const left = 46;

// How many pixels of the page a picture may take in width, as its place becomes wider or narrower.
export function useWidth(first = 800) {
  const place = useRef();
  const [width, setWidth] = useState(first);
  useLayoutEffect(() => {
    const see = () => setWidth(Math.max(260, Math.floor(place.current.clientWidth)));
    see();
    const watcher = new ResizeObserver(see);
    watcher.observe(place.current);
    return () => watcher.disconnect();
  }, []);
  return [place, width];
}

// lines are [{name, points: [{value, low, high} or {missing}]}], waves the names below. write writes a value.
export function Lines({ title, lines, waves, write, picture }) {
  const [place, width] = useWidth();
  const narrow = width < 560;
  const room = narrow ? 14 : Math.min(220, 30 + 6.6 * Math.max(...lines.map(({ name }) => name.length)));
  const values = lines.flatMap(({ points }) =>
    points.flatMap(({ value, high }) => [value, high].filter((v) => v !== undefined)),
  );
  const most = ceiling(Math.max(1, ...values));
  const x = (j) => left + 10 + (waves.length < 2 ? 0.5 : j / (waves.length - 1)) * (width - left - room - 20);
  const y = (value) => top + (1 - value / most) * (height - top - bottom);
  const ends = spread(
    lines.map(({ points }) => {
      const last = points.findLast((point) => !point.missing);
      return last && y(last.value);
    }),
    17,
    [top, height - bottom],
  );
  const every = Math.ceil(waves.length / Math.max(2, Math.floor((width - left - room) / 64)));
  return html`
    <div class="drawing" ref=${place}>
      <svg
        ref=${picture}
        width=${width}
        height=${height}
        viewBox="0 0 ${width} ${height}"
        role="img"
        aria-label=${title}
      >
        ${marksUpTo(most).map(
          (mark) => html`
            <g key=${mark}>
              <line class="grid" x1=${left} x2=${width - room} y1=${y(mark)} y2=${y(mark)} />
              <text class="tick" x=${left - 6} y=${y(mark) + 4} text-anchor="end">
                ${mark}${mark === most && " %"}
              </text>
            </g>
          `,
        )}
        ${waves.map(
          (name, j) =>
            j % every === 0 &&
            html`
              <text key=${j} class="tick" x=${x(j)} y=${height - bottom + 22} text-anchor="middle">${name}</text>
            `,
        )}
        ${lines.map(
          (line, i) => html`
            <${Band} key=${i} points=${line.points} ...${{ x, y, i }} />
          `,
        )}
        ${lines.map(
          (line, i) => html`
            <${Line} key=${i} ...${{ line, waves, write, x, y, i }} />
          `,
        )}
        ${
          !narrow &&
          lines.map(
            ({ name }, i) =>
              ends[i] !== undefined &&
              html`
                <g key=${i} class=${`series series${i}`}>
                  <${Mark} i=${i} x=${width - room + 8} y=${ends[i]} />
                  <text class="name" x=${width - room + 18} y=${ends[i] + 4}>
                    ${cut(name, room - 24)}
                    <title>${name}</title>
                  </text>
                </g>
              `,
          )
        }
      </svg>
      ${
        narrow &&
        html`
          <${Key} names=${lines.map(({ name }) => name)} />
        `
      }
    </div>
  `;
}

const cut = (name, room) => (name.length * 6.6 > room ? `${name.slice(0, Math.floor(room / 6.6) - 1)}…` : name);

// The runs of points that follow each other without a gap: lists of places.
function runs(points) {
  const found = [];
  points.forEach((point, j) => {
    if (point.missing) return;
    if (j > 0 && found.length && !points[j - 1].missing) found.at(-1).push(j);
    else found.push([j]);
  });
  return found;
}

// A run of one point has an interval that is drawn as a stroke.
function Band({ points, x, y, i }) {
  return html`
    <g class=${`series series${i}`}>
      ${runs(points).map((run) => {
        const sure = run.filter((j) => points[j].low !== undefined);
        if (sure.length === 0) return null;
        if (sure.length === 1) {
          const [j] = sure;
          return html`
            <line key=${j} class="whisker" x1=${x(j)} x2=${x(j)} y1=${y(points[j].low)} y2=${y(points[j].high)} />
          `;
        }
        const there = sure.map((j) => `${x(j)},${y(points[j].high)}`);
        const back = sure.toReversed().map((j) => `${x(j)},${y(points[j].low)}`);
        return html`
          <polygon key=${run[0]} class="band" points=${[...there, ...back].join(" ")} />
        `;
      })}
    </g>
  `;
}

function Line({ line: { name, points }, waves, write, x, y, i }) {
  return html`
    <g class=${`series series${i}`}>
      ${runs(points).map(
        (run) => html`
          <polyline key=${run[0]} points=${run.map((j) => `${x(j)},${y(points[j].value)}`).join(" ")} />
        `,
      )}
      ${points.map(
        (point, j) =>
          !point.missing &&
          html`
            <g key=${j} class=${point.quality === "withhold" ? "unsure" : ""}>
              <title>${name}, ${waves[j]}: ${write(point.value)}</title>
              <${Mark} i=${i} x=${x(j)} y=${y(point.value)} />
            </g>
          `,
      )}
    </g>
  `;
}

// The shape of a line's points: circle, square, diamond or triangle, and then the same hollow.
export function Mark({ i, x, y, size = 4 }) {
  const hollow = i % 8 >= 4 ? "mark hollow" : "mark";
  if (i % 4 === 0)
    return html`
      <circle class=${hollow} cx=${x} cy=${y} r=${size} />
    `;
  const corners = [
    [],
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ],
    [
      [0, -1.35],
      [1.35, 0],
      [0, 1.35],
      [-1.35, 0],
    ],
    [
      [0, -1.3],
      [1.2, 0.9],
      [-1.2, 0.9],
    ],
  ][i % 4];
  return html`
    <polygon class=${hollow} points=${corners.map(([dx, dy]) => `${x + dx * size},${y + dy * size}`).join(" ")} />
  `;
}

// What the colours and shapes mean, where there is no room for names beside them.
export function Key({ names }) {
  return html`
    <ul class="key">
      ${names.map(
        (name, i) => html`
          <li key=${i}>
            <svg width="14" height="14" aria-hidden="true">
              <g class=${`series series${i % 8}`}><${Mark} i=${i} x=${7} y=${7} /></g>
            </svg>
            ${name}
          </li>
        `,
      )}
    </ul>
  `;
}
