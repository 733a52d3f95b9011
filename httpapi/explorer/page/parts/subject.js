// Chooses an audience: a saved one, people by their answers to a question, or the one that is being built.
import { describe, questionsOf } from "../lib/expression.js";
import { tidy } from "../lib/building.js";
import { html, useState } from "../lib/html.js";
import { AnswersFilter } from "./answers.js";
import { Dialog } from "./dialog.js";
import { Finder } from "./finder.js";
import { SavedList } from "./saved.js";
import { Words } from "./words.js";

// What can be chosen, without a dialog around it. choose({name, expression}) is called for what was chosen.
export function Subjects({ catalogue, state, choose, label = "Find a question to choose people by" }) {
  const [kind, setKind] = useState("question");
  const [question, setQuestion] = useState();
  // The answers of its question have just been ticked, so they are at hand.
  const named = async (expression) => {
    const questions = await catalogue.answered(questionsOf(expression));
    setQuestion(undefined);
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
            <${Built} ...${{ catalogue, state, choose }} />
          `
        }
      </p>
      ${
        kind === "saved" &&
        html`
          <${SavedList} choose=${({ name, expression }) => choose({ name, expression: tidy(expression) })} />
        `
      }
      ${
        kind === "question" &&
        !question &&
        html`
          <${Finder} catalogue=${catalogue} label=${label} act=${setQuestion} />
        `
      }
      ${
        kind === "question" &&
        question &&
        html`
          <${AnswersFilter} ...${{ catalogue, question }} cancel=${() => setQuestion(undefined)} add=${named} />
        `
      }
    </div>
  `;
}

// Saved audiences, and the one that is being built, to be added to a list of questions.
export function Audiences({ catalogue, state, add }) {
  const [opened, setOpened] = useState(false);
  return html`
    <details class="audiences" onToggle=${(event) => event.currentTarget.open && setOpened(true)}>
      <summary>Audiences</summary>
      ${
        state.audience &&
        html`
          <${Built} ...${{ catalogue, state }} choose=${add} />
        `
      }
      ${
        opened &&
        html`
          <${SavedList} choose=${({ name, expression }) => add({ name, expression: tidy(expression) })} />
        `
      }
    </details>
  `;
}

// The audience that is being built, in the view Audience.
function Built({ catalogue, state: { audience, called }, choose }) {
  const act = () => choose({ name: called ?? "The audience being built", expression: audience });
  return html`
    <button class="building" onClick=${act}>
      ${
        called ??
        html`
          <${Words} catalogue=${catalogue} expression=${audience} />
        `
      }
    </button>
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
