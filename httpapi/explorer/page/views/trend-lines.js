// The lines of a trend, and their figures below.
import { count, ends, many, percent } from "../lib/figures.js";
import { html, useMemo, useRef, useState } from "../lib/html.js";
import { extrasOf } from "../lib/picture.js";
import { answersOf, audiencesOf, differ, trended, trendRequest, wavesOf } from "../lib/trending.js";
import { useAnswer } from "../parts/answer.js";
import { Lines } from "../parts/lines.js";
import { refusalNotice } from "../parts/notice.js";
import { TakeAway } from "../parts/takeaway.js";

const signs = { caution: "*", withhold: "**" };
const marks = { "-1": "▼", 0: "", 1: "▲" };
const why = { unmeasured: "not asked", withheld: "withheld" };

export function Drawn({ catalogue, record, state }) {
  const answers = answersOf(state, record);
  const waves = wavesOf(state, record, catalogue);
  const requests = audiencesOf(state).map((audience) => trendRequest(state, audience, answers, waves));
  const { data, refusal, busy, again } = useAnswer(
    (signal) => trended(state, record, catalogue, signal),
    [JSON.stringify(requests)],
  );
  const picture = useRef();
  if (refusal) return refusalNotice(refusal, again);
  if (!data)
    return html`
      <p class="waiting" role="status">Counting …</p>
    `;
  return html`
    <section class="sheet" aria-busy=${busy}>
      <${Lines}
        title=${`${record.name} by wave`}
        lines=${data.lines}
        waves=${data.waves.map(({ name }) => name)}
        write=${percent}
        picture=${picture}
      />
    </section>
    <${Notes} lines=${data.lines} matched=${state.matched} />
    <${Figures} ...${data} />
    <${Taking} ...${{ picture, data, requests, state }} title=${`${record.name} by wave`} />
  `;
}

function Notes({ lines, matched }) {
  const points = lines.flatMap((line) => line.points);
  const gaps = points.filter((point) => point.missing).length;
  const small = points.some(({ quality }) => signs[quality]);
  return html`
    <p class="legend faint">
      <span>The bands are intervals of 95 %. ▲▼ significantly above or below the wave before.</span>
      ${
        gaps > 0 &&
        html`
          <span>The lines are open where it was not asked.</span>
        `
      }
      ${
        small &&
        html`
          <span>* fewer than 100 respondents, ** fewer than 30.</span>
        `
      }
      ${
        matched &&
        html`
          <span>Counted in the markets that all waves have.</span>
        `
      }
    </p>
    ${
      !matched &&
      differ(lines) &&
      html`
        <p class="warning">
          The waves cover different markets, so a change may be one of markets. “Same markets” counts only those
          that all waves have.
        </p>
      `
    }
  `;
}

function Figures({ lines, waves }) {
  return html`
    <div class="scrolls" tabindex="0" role="region" aria-label="The figures of the lines">
      <table class="figures">
        <thead>
          <tr>
            <td></td>
            ${waves.map(
              ({ code, name }) => html`
                <th key=${code} scope="col">${name}</th>
              `,
            )}
          </tr>
        </thead>
        <tbody>
          ${lines.map(
            ({ name, points }, i) => html`
              <tr key=${i}>
                <th scope="row">${name}</th>
                ${points.map(
                  (point, j) => html`
                    <${Figure} key=${j} point=${point} />
                  `,
                )}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

function Figure({ point }) {
  if (point.missing)
    return html`
      <td class="faint">${why[point.missing]}</td>
    `;
  const told = `95 %: ${ends(point, percent)}; ${many(point.sample, "respondent")}`;
  return html`
    <td class=${signs[point.quality] ? "unsure" : ""} title=${told}>
      <span class=${point.change > 0 ? "marks up" : "marks down"}>${marks[point.change]}</span>
      <span class="number">${percent(point.value)}</span>
      <sup>${signs[point.quality]}</sup>
      <span class="faint sample">${count(point.sample)}</span>
    </td>
  `;
}

// Each audience was asked about in a request of its own, and can be taken away by it.
function Taking({ picture, data, requests, state, title }) {
  const [taken, setTaken] = useState();
  const rows = useMemo(() => sheetOf(data), [data]);
  const names = audiencesOf(state).map(({ name }) => name);
  return html`
    <p class="actions">
      ${requests.map(
        (_, i) => html`
          <button key=${i} class="primary" onClick=${() => setTaken(i)}>
            Take away${requests.length > 1 && `: ${names[i]}`}
          </button>
        `,
      )}
    </p>
    ${
      taken !== undefined &&
      requests[taken] &&
      html`
        <${TakeAway}
          path="/v2/query/crosstab"
          request=${requests[taken]}
          title=${title}
          extras=${extrasOf(picture, title, notes, rows)}
          close=${() => setTaken(undefined)}
        />
      `
    }
  `;
}

// What a picture says below itself when it is far from the page.
const notes = ["Percent by wave, with intervals of 95 %."];

function sheetOf({ lines, waves }) {
  const cells = (points) => points.flatMap(({ value, low, high, sample }) => [value, low, high, sample]);
  return [
    ["", ...waves.flatMap(({ name }) => [name, `${name} low`, `${name} high`, `${name} respondents`])],
    ...lines.map(({ name, points }) => [name, ...cells(points)]),
  ];
}
