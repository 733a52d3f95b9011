// The derived questions of the user, and those that others share: also those that can't be used any more, which no
// search finds.
import { keyOf } from "../lib/catalogue.js";
import { derivedQuestions, readDerived } from "../lib/derived.js";
import { many } from "../lib/figures.js";
import { html, useState } from "../lib/html.js";
import { useAnswer } from "../parts/answer.js";
import { Dialog } from "../parts/dialog.js";
import { refusalNotice } from "../parts/notice.js";
import { Actions, whose } from "./derived-definition.js";
import { DeriveDialog } from "./derived-form.js";

const nothing = { name: "", description: "", shared: false, answers: [] };

// The button that opens them. choose(key) is called for the question that is to be looked at, changed() after one was
// changed or deleted.
export function DerivedQuestions({ catalogue, choose, changed }) {
  const [open, setOpen] = useState(false);
  return html`
    <p class="actions"><button onClick=${() => setOpen(true)}>Derived questions</button></p>
    ${
      open &&
      html`
        <${DerivedDialog} ...${{ catalogue, choose, changed }} close=${() => setOpen(false)} />
      `
    }
  `;
}

function DerivedDialog({ catalogue, choose, changed, close }) {
  const [defining, setDefining] = useState(false);
  const { data, refusal, again } = useAnswer((signal) => derivedQuestions(signal), [catalogue.revision]);
  const unusable = data?.filter(({ accessible }) => !accessible) ?? [];
  return html`
    <${Dialog} title="Derived questions" close=${close}>
      <p class="faint">
        Questions that nobody was asked: their answers are made of those to others. Nets in a table are saved as
        one, too.
      </p>
      ${refusal && refusalNotice(refusal, again)}
      ${
        data &&
        html`
          <ul class="questions">
            ${data
              .filter(({ accessible }) => accessible)
              .map(
                (question) => html`
                  <li key=${question.code}>
                    <button class="question" onClick=${() => choose(keyOf(question))}>
                      <span class="name">${question.name}</span>
                      <span class="faint">${many(question.datapoints.length, "answer")} · ${whose(question)}</span>
                    </button>
                  </li>
                `,
              )}
          </ul>
          ${
            data.length === 0 &&
            html`
              <p>There is none yet.</p>
            `
          }
          ${unusable.map(
            (question) => html`
              <${Unusable} key=${question.code} ...${{ catalogue, question, changed }} />
            `,
          )}
        `
      }
      <footer><button class="primary" onClick=${() => setDefining(true)}>Define one</button></footer>
      ${
        defining &&
        html`
          <${DeriveDialog}
            catalogue=${catalogue}
            draft=${nothing}
            close=${() => setDefining(false)}
            saved=${(key) => choose(key)}
          />
        `
      }
    <//>
  `;
}

// One that can't be used: what it is made of is gone, or is not granted any more.
function Unusable({ catalogue, question, changed }) {
  const { data } = useAnswer((signal) => readDerived(question.code, signal), [question.code, question.version]);
  return html`
    <section class="warning">
      <strong>${question.name}</strong>
      ${" "}can't be used: what it is made of is not there any more, or not for you.
      ${
        data &&
        html`
          <${Actions} ...${{ catalogue, changed }} ...${data} deleted=${changed} />
        `
      }
    </section>
  `;
}
