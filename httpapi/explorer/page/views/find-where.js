// Where a question was asked, as a small map: a square for each wave and market.
import { ask } from "../lib/api.js";
import { anyAnswer, leaf } from "../lib/expression.js";
import { many } from "../lib/figures.js";
import { html } from "../lib/html.js";
import { useAnswer } from "../parts/answer.js";
import { refusalNotice } from "../parts/notice.js";

export function Where({ catalogue, record, state }) {
  const body = state.answer ? leaf(state.question, [state.answer]) : anyAnswer(state.question, record);
  const { data, refusal, again } = useAnswer(
    (signal) => ask("/v2/query/audience_wave_counts?coverage=true", body, { signal }),
    [JSON.stringify(body), catalogue.revision],
  );
  if (refusal) return refusalNotice(refusal, again);
  const answer = record.datapoints.find(({ code }) => code === state.answer);
  const namespace = catalogue.namespaces.find(({ code }) => code === record.namespace_code);
  const waves = catalogue.waves.filter(({ code }) => namespace.wave_codes.includes(code));
  const locations = catalogue.locations.filter(({ code }) => namespace.location_codes.includes(code));
  const asked = new Map((data?.data ?? []).map((entry) => [entry.wave_code, new Set(entry.coverage.locations)]));
  const somewhere = locations.filter(({ code }) => [...asked.values()].some((places) => places.has(code))).length;
  const [allWaves, allMarkets] = [many(waves.length, "wave"), many(locations.length, "market")];
  const [inWaves, inMarkets] = data ? [asked.size, somewhere] : ["…", "…"]; // as long a line before it is known
  const extent = `In ${inWaves} of ${allWaves} and ${inMarkets} of ${allMarkets}.`;
  return html`
    <section class="where">
      <h2>Where ${answer ? `“${answer.name}”` : "it"} was asked</h2>
      <p class="faint" role="status">
        ${extent} ${!answer && " Choose an answer above to see where that one was asked."}
      </p>
      <div class="scrolls" tabindex="0" role="region" aria-label="Map of waves and markets">
        <table class="map">
          <thead>
            <tr>
              <td></td>
              ${waves.map(
                ({ code, name }) => html`
                  <th scope="col" key=${code}><span>${name}</span></th>
                `,
              )}
            </tr>
          </thead>
          <tbody>
            ${locations.map(
              (location) => html`
                <tr key=${location.code}>
                  <th scope="row">${location.name}</th>
                  ${waves.map(
                    (wave) => html`
                      <${Square} key=${wave.code} ...${{ wave, location, asked, record, known: Boolean(data) }} />
                    `,
                  )}
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
      <p class="legend faint">
        <span class="square yes"></span>
        asked
        <span class="square no"></span>
        fielded, but not asked
        <span class="square none"></span>
        no fieldwork
      </p>
    </section>
  `;
}

function Square({ wave, location, asked, record, known }) {
  const fielded = location.namespaces.some(
    ({ code, wave_codes: codes }) => code === record.namespace_code && codes.includes(wave.code),
  );
  const yes = asked.get(wave.code)?.has(location.code);
  const [kind, words] = yes ? ["yes", "asked"] : fielded ? ["no", "not asked"] : ["none", "no fieldwork"];
  if (!known)
    return html`
      <td><span class="square"></span></td>
    `;
  return html`
    <td title=${`${wave.name}, ${location.name}: ${words}`}>
      <span class=${`square ${kind}`}></span>
      <span class="spoken">${words}</span>
    </td>
  `;
}
