// The ranked list of a profile: what it is, how far from 100, how sure that is, and of how many.
import { count, ends, index, percent, probability } from "../lib/figures.js";
import { html } from "../lib/html.js";
import { scaleOf } from "../lib/ranking.js";
import { few } from "./table-cell.js";

const signs = { caution: "*", withhold: "**" };

export function Ranking({ entries }) {
  const scale = scaleOf(entries);
  const small = entries.some(({ statistics }) => signs[qualityOf(statistics)]);
  return html`
    <div class="scrolls" tabindex="0" role="region" aria-label="Attributes, ranked">
      <table class="ranking">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" class="number">Index</th>
            <th scope="col" class="around"><${Axis} scale=${scale} /></th>
            <th scope="col" class="number">They</th>
            <th scope="col" class="number">The rest</th>
            <th scope="col" class="number">Respondents</th>
            <th scope="col" class="number">Corrected p</th>
          </tr>
        </thead>
        <tbody>
          ${entries.map(
            (entry) => html`
              <${Entry} key=${keyOf(entry)} ...${{ entry, scale }} />
            `,
          )}
        </tbody>
      </table>
    </div>
    ${
      small &&
      html`
        <p class="faint">* fewer than 100 respondents, ** fewer than 30: read with caution.</p>
      `
    }
  `;
}

const keyOf = ({ key, datapoint, suffixes }) => [key, datapoint, ...suffixes].join(" ");

// A percentage of nobody has no interval and is to be withheld.
const qualityOf = (statistics) => statistics?.audience_percentage?.quality ?? "withhold";

function Entry({ entry, scale }) {
  const { metrics, rest, statistics, stands, withheld, adjusted_p: p } = entry;
  const name = html`
    <th scope="row">
      <span class="answer">${entry.answer}</span>
      <span class="faint">${entry.title}</span>
    </th>
  `;
  if (withheld)
    return html`
      <tr class="unsure">
        ${name}
        <td colspan="6" class="faint">withheld: too few respondents for your key</td>
      </tr>
    `;
  const quality = qualityOf(statistics);
  const interval = statistics.audience_index;
  return html`
    <tr class=${stands ? "" : "unsure"}>
      ${name}
      <td class="number index">${index(metrics.audience_index)}</td>
      <td
        class="around"
        title=${interval && `Index ${index(metrics.audience_index)}, 95 %: ${ends(interval, index)}`}
      >
        <${Bar} value=${metrics.audience_index} ...${{ interval, scale }} />
      </td>
      <td class="number" title=${few[quality]}>
        <span class="share">${percent(metrics.audience_percentage)}</span>
        <sup>${signs[quality]}</sup>
      </td>
      <td class="number rest">${percent(rest.percentage)}</td>
      <td class="number sample" title=${`of ${count(metrics.audience_sample)} asked`}>
        ${count(metrics.positive_sample)}
      </td>
      <td class="number p">${p === undefined ? "not tested" : probability(p).replace("= ", "")}</td>
    </tr>
  `;
}

// A bar from 100 to the index, and its interval as a whisker, in percent of the room there is.
function Bar({ value, interval, scale: { place } }) {
  const [from, to] = [place(100), place(value)];
  return html`
    <svg width="100%" height="18" aria-hidden="true">
      <line class="hundred" x1="${from}%" x2="${from}%" y1="0" y2="18" />
      <rect
        class=${value >= 100 ? "above" : "below"}
        x="${Math.min(from, to)}%"
        width="${Math.abs(to - from)}%"
        y="4"
        height="10"
        rx="1.5"
      />
      ${
        interval &&
        html`
          <line class="whisker" x1="${place(interval.low)}%" x2="${place(interval.high)}%" y1="9" y2="9" />
        `
      }
    </svg>
  `;
}

function Axis({ scale: { place, marks } }) {
  return html`
    <svg width="100%" height="18" role="img" aria-label="Index, 100 in the middle">
      ${marks.map(
        (mark) => html`
          <text
            key=${mark}
            class=${Math.abs(Math.log2(mark / 100)) === 1 ? "fine" : ""}
            x="${place(mark)}%"
            y="13"
            text-anchor="middle"
          >
            ${mark}
          </text>
        `,
      )}
    </svg>
  `;
}
