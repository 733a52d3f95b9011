// The answers of a derived question that is being written: what each is called, and who gives it.
import { isGroup, tidy } from "../lib/building.js";
import { longest, namesIn, noneOf } from "../lib/derived.js";
import { leaf, questionsOf } from "../lib/expression.js";
import { html, useState } from "../lib/html.js";
import { Dialog } from "../parts/dialog.js";
import { Finder } from "../parts/finder.js";
import { Words } from "../parts/words.js";
import { LeafDialog } from "./audience-leaf.js";
import { Piece } from "./audience-pieces.js";
import { Text } from "./audience-text.js";

// The fields of a draft's answers. edit({at, expression}) is called for the answer whose people are to be chosen, one
// more being behind the last, and without an expression where it is of a question to be found first.
export function Answers({ catalogue, draft: { answers }, set, edit }) {
  const [alone] = useState(() => answers.filter((answer) => answer.alone));
  const source = answers.map(({ expression }) => questionsOf(expression)[0]).find(Boolean);
  const rename = (at, name) =>
    set({ answers: answers.map((answer, i) => (i === at ? { ...answer, name } : answer)) });
  const withAlone = (event) =>
    set({ answers: [...answers.filter((answer) => !answer.alone), ...(event.target.checked ? alone : [])] });
  const rest = () => set({ answers: [...answers, { name: "None of these", expression: noneOf(answers) }] });
  return html`
    <fieldset class="ticks given">
      <legend>Answers</legend>
      <ul class="filters">
        ${answers.map(
          ({ name, expression }, i) => html`
            <li key=${i}>
              <input
                type="text"
                required
                aria-label=${`Name of answer ${i + 1}`}
                maxlength=${longest}
                value=${name}
                onInput=${(event) => rename(i, event.target.value)}
              />
              <button
                type="button"
                class="plain"
                title="Choose who gives this answer"
                onClick=${() => edit({ at: i, expression: tidy(expression) })}
              >
                <${Words} catalogue=${catalogue} expression=${expression} />
              </button>
              <button
                type="button"
                class="quiet"
                aria-label=${`Leave out ${name}`}
                onClick=${() => set({ answers: answers.filter((_, k) => k !== i) })}
              >
                ✕
              </button>
            </li>
          `,
        )}
      </ul>
      ${
        alone.length > 0 &&
        html`
          <label>
            <input type="checkbox" checked=${answers.some((answer) => answer.alone)} onChange=${withAlone} />
            <span>With the answers that are left alone, each by itself</span>
          </label>
        `
      }
      <p class="actions">
        ${
          source &&
          html`
            <button type="button" onClick=${() => edit({ at: answers.length, expression: leaf(source) })}>
              + Answer
            </button>
          `
        }
        <button type="button" onClick=${() => edit({ at: answers.length })}>+ Of another question</button>
        ${
          answers.length > 0 &&
          html`
            <button type="button" onClick=${rest}>+ None of these</button>
          `
        }
      </p>
    </fieldset>
  `;
}

// The dialog of what edit was called with: first the question, if it is to be found, then who gives the answer.
export function AnswerDialog({ catalogue, draft: { answers }, set, edited: { at, expression }, edit, close }) {
  // A dialog tells that it is closed after the next one has opened, which that must not close.
  const unfound = () => edit((now) => (now?.expression ? now : undefined));
  if (!expression)
    return html`
      <${Dialog} title="An answer of another question" close=${unfound}>
        <${Finder} catalogue=${catalogue} act=${(key) => edit({ at, expression: leaf(key) })} />
      <//>
    `;
  const meant = async (next) => {
    const [name, was] = await Promise.all([next, expression].map((one) => nameOf(one, catalogue)));
    const before = answers[at] ?? { name: was };
    const changed = { ...before, expression: next, ...(before.name === was && { name }) };
    set({ answers: [...answers.slice(0, at), changed, ...answers.slice(at + 1)] });
  };
  if (!isGroup(expression))
    return html`
      <${LeafDialog} key=${expression.question} ...${{ catalogue, close }} piece=${expression} set=${meant} />
    `;
  return html`
    <${GroupDialog} ...${{ catalogue, expression, close }} set=${meant} />
  `;
}

// What an answer is called that nobody has given a name yet.
async function nameOf(expression, catalogue) {
  if (isGroup(expression) || expression.not) return "Answer";
  const record = await catalogue.question(expression.question);
  return record ? namesIn(expression, record) : expression.question;
}

function GroupDialog({ catalogue, expression, set, close }) {
  const [whole, setWhole] = useState(expression);
  const apply = () => {
    set(whole);
    close();
  };
  return html`
    <${Dialog} title="Who gives this answer" close=${close}>
      <${Piece} ...${{ catalogue, whole, set: setWhole }} path=${[]} />
      <${Text} expression=${whole} set=${setWhole} />
      <footer><button class="primary" disabled=${!whole} onClick=${apply}>These people</button></footer>
    <//>
  `;
}
