// A question: its text, what people said, and where it was asked.
import { ask } from "../lib/api.js";
import { count, ends, percent } from "../lib/figures.js";
import { html } from "../lib/html.js";
import { useAnswer } from "../parts/answer.js";
import { refusalNotice } from "../parts/notice.js";
import { Scope } from "../parts/scope.js";
import { Definition } from "./derived-definition.js";
import { Where } from "./find-where.js";

export function Question({ catalogue, state, change, cross }) {
  const key = state.question;
  const { revision } = catalogue;
  const { data: record, refusal, busy, again } = useAnswer(() => catalogue.question(key), [key, revision]);
  if (refusal) return refusalNotice(refusal, again);
  if (!record)
    return html`
      <p class="waiting">${busy ? "Reading the question …" : `There is no question ${key}.`}</p>
    `;
  const words = [record.message, record.notice, record.warning].filter(Boolean);
  return html`
    <article class="one">
      <header>
        <h1>${record.name}</h1>
        <p>${record.description}</p>
        <p class="faint">
          <code>${key}</code>
          ${record.derived && " · derived from others"} ${record.unit && ` · in ${record.unit}`}
          ${
            record.knowledge_base &&
            html`
              ·
              <a href=${record.knowledge_base} rel="noreferrer">more about it</a>
            `
          }
        </p>
        ${words.map(
          (text) => html`
            <p class="warning">${text}</p>
          `,
        )}
        <p class="actions">
          <button class="primary" onClick=${() => cross("rows")(key)}>Put in rows</button>
          <button onClick=${() => cross("columns")(key)}>Put in columns</button>
        </p>
      </header>
      <${Scope} ...${{ catalogue, state, change }} />
      <${Answers} ...${{ record, revision, state, change }} />
      <${Where} ...${{ catalogue, record, state, change }} />
      ${
        record.derived &&
        html`
          <${Definition}
            ...${{ catalogue, record }}
            changed=${() => change({}, true)}
            deleted=${() => change({ question: undefined, answer: undefined }, true)}
          />
        `
      }
    </article>
  `;
}

// The request for what people said, over the scope of the page.
export function answersRequest(state, record) {
  const open = record.datapoints.filter(({ accessible }) => accessible);
  return {
    question: state.question,
    ...(open.length < record.datapoints.length && { datapoints: open.map(({ code }) => code) }),
    ...(state.scale && { suffixes: [state.scale] }),
    ...(state.base && { base_audience: { expression: state.base } }),
    ...(state.waves?.length && { waves: state.waves }),
    ...(state.locations?.length && { locations: state.locations }),
    coverage: true,
    statistics: {},
  };
}

function Answers({ record, revision, state, change }) {
  const request = answersRequest(state, record);
  const { data, refusal, busy, again } = useAnswer(
    (signal) => ask("/v2/query/stats", request, { signal }),
    [JSON.stringify(request), revision],
  );
  const choose = (answer) => change({ answer: state.answer === answer ? undefined : answer }, true);
  const names = new Map(record.datapoints.map(({ code, name }) => [code, name]));
  return html`
    <section class="answers" aria-busy=${busy}>
      <div class="heading">
        <h2>What people said</h2>
        ${
          record.suffixes.length > 0 &&
          html`
            <${Scale} ...${{ record, state, change }} />
          `
        }
      </div>
      ${
        refusal
          ? refusalNotice(refusal, again)
          : html`
              <table>
                <thead>
                  <tr>
                    <th scope="col">Answer</th>
                    <th scope="col">%</th>
                    <th scope="col">People</th>
                    <th scope="col">Respondents</th>
                  </tr>
                </thead>
                <tbody>
                  ${
                    data
                      ? data.data.map(
                          (entry) => html`
                            <${Answer}
                              key=${entry.datapoint}
                              name=${names.get(entry.datapoint)}
                              entry=${entry}
                              chosen=${state.answer === entry.datapoint}
                              choose=${() => choose(entry.datapoint)}
                            />
                          `,
                        )
                      : record.datapoints.map(
                          ({ code, name }) => html`
                            <tr key=${code}>
                              <th scope="row">
                                <button class="plain" disabled>${name}</button>
                              </th>
                              <td class="bar">
                                <${Bar} share=${0} />
                                <span>${"\u00a0"}</span>
                              </td>
                              <td />
                              <td />
                            </tr>
                          `,
                        )
                  }
                </tbody>
              </table>
            `
      }
    </section>
  `;
}

function Scale({ record, state, change }) {
  return html`
    <label class="inline">
      On the scale
      <select value=${state.scale ?? ""} onChange=${(event) => change({ scale: event.target.value || undefined })}>
        <option value="">Any of it</option>
        ${record.suffixes.map(
          ({ code, name }) => html`
            <option value=${code}>${name}</option>
          `,
        )}
      </select>
    </label>
  `;
}

function Answer({ name, entry, chosen, choose }) {
  const { metrics, statistics, waves, withheld } = entry;
  const head = html`
    <th scope="row">
      <button class="plain" aria-pressed=${chosen} title="Show where it was asked" onClick=${choose}>
        ${name}
      </button>
    </th>
  `;
  if (withheld || waves.length === 0) {
    const why = withheld ? "too few respondents for your key" : "not asked here";
    return html`
      <tr>
        ${head}
        <td class="faint" colspan="3">${why}</td>
      </tr>
    `;
  }
  const interval = statistics?.audience_percentage;
  return html`
    <tr>
      ${head}
      <td class="bar" title=${interval && `95 %: ${ends(interval, percent)}`}>
        <${Bar} share=${metrics.audience_percentage} interval=${interval} />
        <span class="number">${percent(metrics.audience_percentage)}</span>
      </td>
      <td class="number">${count(metrics.positive_size)}</td>
      <td class="number">${count(metrics.positive_sample)}</td>
    </tr>
  `;
}

// A bar from 0 to 100 with its interval as a whisker.
function Bar({ share, interval }) {
  return html`
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="10" />
      <rect class="fill" width=${share} height="10" />
      ${
        interval &&
        html`
          <rect class="whisker" x=${interval.low} y="4.25" width=${interval.high - interval.low} height="1.5" />
        `
      }
    </svg>
  `;
}
