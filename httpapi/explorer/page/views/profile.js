// Who are they: every attribute there is, ranked by how far an audience is from its base.
import { count, many } from "../lib/figures.js";
import { html, useState } from "../lib/html.js";
import { categoriesOf, profileRequest, ranked, step } from "../lib/ranking.js";
import { useAnswer } from "../parts/answer.js";
import { refusalNotice } from "../parts/notice.js";
import { Scope } from "../parts/scope.js";
import { SubjectDialog, Subjects } from "../parts/subject.js";
import { TakeAway } from "../parts/takeaway.js";
import { useNames, Words } from "../parts/words.js";
import { Ranking } from "./profile-list.js";

// Parameters of its own: rank, side and chance, which are order_by, direction and false_discovery of the interface;
// shelf, the id of the category that it is cut to; top, how many are shown. The audience is that of the view Audience.
export const profile = { name: "profile", title: "Who are they", component: Profile };

function Profile({ catalogue, state, change, go }) {
  const [choosing, setChoosing] = useState(false);
  const choose = ({ name, expression }) =>
    change({ audience: expression, called: name, saved: undefined, version: undefined, top: undefined });
  const named = useNames(catalogue, state.audience);
  if (!named)
    return html`
      <p class="waiting" role="status">Reading the answers …</p>
    `;
  if (!state.audience)
    return html`
      <div class="plain">
        <h1>Who are they?</h1>
        <p class="faint">Choose people, and see what sets them apart from everyone else.</p>
        <${Subjects} ...${{ catalogue, state, choose }} />
      </div>
    `;
  return html`
    <div class="profile">
      <header class="subject">
        <div>
          <h1>
            ${
              state.called ??
              html`
                <${Words} catalogue=${catalogue} expression=${state.audience} />
              `
            }
          </h1>
          ${
            state.called &&
            html`
              <p class="faint"><${Words} catalogue=${catalogue} expression=${state.audience} /></p>
            `
          }
        </div>
        <p class="actions">
          <button onClick=${() => setChoosing(true)}>Choose others</button>
          <button onClick=${() => go("audience")}>Change who they are</button>
        </p>
      </header>
      <${Scope} ...${{ catalogue, state, change }} />
      <${Ranked} ...${{ catalogue, state, change }} />
      ${
        choosing &&
        html`
          <${SubjectDialog}
            title="Who are they?"
            ...${{ catalogue, state, choose }}
            close=${() => setChoosing(false)}
          />
        `
      }
    </div>
  `;
}

function Ranked({ catalogue, state, change }) {
  const shelves = useAnswer(() => categoriesOf(catalogue), [catalogue]);
  const shelf = shelves.data?.find(({ id }) => id === state.shelf);
  const request = profileRequest(state, shelf?.questions);
  const wait = state.shelf && !shelves.data;
  const answer = useAnswer(wait ? undefined : (signal) => ranked(request, catalogue, signal), [
    JSON.stringify(request),
    wait,
  ]);
  const [taking, setTaking] = useState(false);
  const failed = [shelves, answer].find(({ refusal }) => refusal);
  if (failed) return refusalNotice(failed.refusal, failed.again);
  return html`
    <${Choices} ...${{ state, change }} shelves=${shelves.data ?? []} takeAway=${() => setTaking(true)} />
    <div class="ranked" aria-busy=${answer.busy}>
      ${
        answer.data
          ? html`
              <${Shown} ...${answer.data} ...${{ state, change }} />
            `
          : html`
              <p class="waiting" role="status">Looking at every attribute there is …</p>
            `
      }
    </div>
    ${
      taking &&
      html`
        <${TakeAway}
          path="/v2/query/profile"
          request=${request}
          title=${`Profile of ${state.called ?? "an audience"}`}
          close=${() => setTaking(false)}
        />
      `
    }
  `;
}

const ranks = {
  certain: "The most certain first",
  index: "The highest and lowest index first",
  difference: "The most points first",
};
const sides = {
  both: "More and less than the rest",
  over: "More than the rest",
  under: "Less than the rest",
};
const chances = { 5: "1 in 20 by chance", 1: "1 in 100 by chance", 10: "1 in 10 by chance" };

function Choices({ state, change, shelves, takeAway }) {
  const pick = (name, first) => (event) =>
    change({ [name]: event.target.value === first ? undefined : event.target.value, top: undefined });
  const select = (label, name, choices, first) => html`
    <select aria-label=${label} value=${state[name] ?? first} onChange=${pick(name, first)}>
      ${choices.map(
        ([code, words]) => html`
          <option key=${code} value=${code}>${words}</option>
        `,
      )}
    </select>
  `;
  const indented = shelves.map(({ id, name, depth }) => [id, "\u2003".repeat(depth) + name]);
  return html`
    <div class="options" role="group" aria-label="What is ranked, and how">
      ${select("Rank by", "rank", Object.entries(ranks), "certain")}
      ${select("Direction", "side", Object.entries(sides), "both")}
      ${select("Category", "shelf", [["", "All categories"], ...indented], "")}
      ${select(
        "False finds among those that stand",
        "chance",
        [5, 1, 10].map((code) => [String(code), chances[code]]),
        "5",
      )}
      <button class="primary" onClick=${takeAway}>Take away</button>
    </div>
  `;
}

function Shown({ meta, entries, state, change }) {
  const top = Number(state.top ?? step);
  const apart = [
    meta.unmeasured > 0 && `${many(meta.unmeasured, "attribute")} never asked where they were`,
    meta.incompatible > 0 &&
      `${many(meta.incompatible, "attribute")} of studies that share no respondents with them`,
  ].filter(Boolean);
  return html`
    <p class="faint" role="status">
      ${many(meta.standing, "attribute")} of ${count(meta.tested)} tested set them apart; the others are drawn
      pale.${apart.length > 0 && ` Left out: ${apart.join(", ")}.`}
    </p>
    ${
      entries.length > 0 &&
      html`
        <${Ranking} entries=${entries} />
      `
    }
    ${
      meta.ranked > top &&
      html`
        <p class="further">
          <button onClick=${() => change({ top: String(top + step) }, true)}>Show ${step} more</button>
          <span class="faint">${many(entries.length, "attribute")} of ${count(meta.ranked)}</span>
        </p>
      `
    }
  `;
}
