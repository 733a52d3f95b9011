// Chooses an audience: a saved one, people by their answers to a question, or the one that is being built.
import { describe, questionsOf } from "../lib/expression.js";
import { tidy } from "../lib/building.js";
import { html, useState } from "../lib/html.js";
import { Dialog } from "./dialog.js";
import { Finder } from "./finder.js";
import { SavedList } from "./saved.js";
import { AnswersFilter } from "./scope.js";
import { Words } from "./words.js";

// What can be chosen, without a dialog around it. choose({name, expression, id}) is called for what was chosen; the id
// is that of a saved audience.
export function Subjects({ catalogue, state, choose }) {
  const [kind, setKind] = useState("question");
  const [question, setQuestion] = useState();
  const named = async (expression) => {
    const questions = await catalogue.answered(questionsOf(expression));
    choose({ name: describe(expression, questions, catalogue), expression });
  };
  const kinds = { question: "By a question", saved: "Saved audiences" };
  return html`
    <div class="subjects">
      <p class="toggles" role="group" aria-label="Where from">
        ${Object.entries(kinds).map(
          ([name, words]) => html`
            <button key=${name} aria-pressed=${kind === name} onClick=${() => setKind(name)}>${words}</button>
          `,
        )}
        ${
          state.audience &&
          html`
            <button
              class="building"
              onClick=${() => choose({ name: state.called ?? "The audience being built", expression: state.audience, id: state.saved })}
            >
              ${state.called ?? html`<${Words} catalogue=${catalogue} expression=${state.audience} />`}
            </button>
          `
        }
      </p>
      ${
        kind === "saved" &&
        html`
          <${SavedList}
            choose=${({ id, name, expression }) => choose({ id, name, expression: tidy(expression) })}
          />
        `
      }
      ${
        kind === "question" &&
        !question &&
        html`
          <${Finder} catalogue=${catalogue} label="Find a question to choose people by" act=${setQuestion} />
        `
      }
      ${
        kind === "question" &&
        question &&
        html`
          <${AnswersFilter}
            ...${{ catalogue, question }}
            cancel=${() => setQuestion(undefined)}
            add=${named}
          />
        `
      }
    </div>
  `;
}

export function SubjectDialog({ title, catalogue, state, choose, close }) {
  const chosen = (subject) => {
    choose(subject);
    close();
  };
  return html`
    <${Dialog} title=${title} close=${close}>
      <${Subjects} ...${{ catalogue, state }} choose=${chosen} />
    <//>
  `;
}
