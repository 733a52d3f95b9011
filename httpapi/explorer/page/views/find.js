// Find: what was asked, of whom, and what people said. A list to search on the one side, a question on the other.
import { count } from "../lib/figures.js";
import { html } from "../lib/html.js";
import { Finder } from "../parts/finder.js";
import { DerivedQuestions } from "./derived-list.js";
import { Question } from "./find-question.js";

// Parameters of its own: search, what was typed; question, the key of the one that is shown; answer, that of its
// answers of which the map tells where it was asked.
export const find = { name: "find", title: "Find", component: Find };

function Find({ catalogue, state, change, go }) {
  const choose = (question) => change({ question, answer: undefined, scale: undefined });
  const cross = (axis) => (key) => go("table", { [axis]: [...(state[axis] ?? []), key] });
  return html`
    <div class=${`find ${state.question ? "chosen" : ""}`}>
      <aside aria-label="Questions">
        <${Finder}
          catalogue=${catalogue}
          act=${choose}
          current=${state.question}
          words=${state.search ?? ""}
          setWords=${(search) => change({ search }, true)}
        />
      </aside>
      <section aria-label="The question">
        ${
          state.question
            ? html`
                <button class="link back" onClick=${() => choose(undefined)}>‹ All questions</button>
                <${Question} key=${state.question} ...${{ catalogue, state, change, cross }} />
              `
            : html`
                <${Overview} ...${{ catalogue, choose, change }} />
              `
        }
      </section>
    </div>
  `;
}

// What the survey holds, for who has not chosen a question yet.
function Overview({ catalogue, choose, change }) {
  const facts = [
    ["Questions", catalogue.questions.length],
    ["Waves", catalogue.waves.length],
    ["Markets", catalogue.locations.length],
    ["Questionnaires", catalogue.namespaces.length],
  ];
  return html`
    <div class="overview">
      <h1>What would you like to know?</h1>
      <p class="faint">
        Type a word of a question, an answer or a category, or open the categories. A question tells what people
        said and where it was asked, and can be crossed with any other.
      </p>
      <dl class="tiles">
        ${facts.map(
          ([name, number]) => html`
            <div>
              <dt>${name}</dt>
              <dd>${count(number)}</dd>
            </div>
          `,
        )}
      </dl>
      <${DerivedQuestions} ...${{ catalogue, choose }} changed=${() => change({}, true)} />
      <dl class="namespaces">
        ${catalogue.namespaces.map(
          ({ code, name, description, wave_codes: waves, location_codes: locations }) => html`
            <div>
              <dt>
                ${name}
                <code>${code}</code>
              </dt>
              <dd>
                ${description}
                <span class="faint">${waves.length} waves, ${locations.length} markets</span>
              </dd>
            </div>
          `,
        )}
      </dl>
    </div>
  `;
}
