// The categories as a tree, with the questions on each shelf. Questions on no shelf stand at the end.
import { keyOf } from "../lib/catalogue.js";
import { many } from "../lib/figures.js";
import { html, useState } from "../lib/html.js";
import { useAnswer } from "./answer.js";
import { refusalNotice } from "./notice.js";

// Above so many questions a list begins closed.
const few = 12;

// row(question) renders one question.
export function Tree({ catalogue, row }) {
  const { data, refusal, again } = useAnswer(() => shelves(catalogue), [catalogue, catalogue.revision]);
  if (refusal) return refusalNotice(refusal, again);
  if (!data)
    return html`
      <p class="waiting">Reading the categories …</p>
    `;
  const { byId, roots, rest, derived } = data;
  return html`
    <div class="tree">
      ${roots.map(
        (category) => html`
          <${Shelf} key=${category.id} ...${{ category, byId, catalogue, row }} />
        `,
      )}
      ${
        derived.length > 0 &&
        html`
          <${Opening} title="Derived questions" note=${many(derived.length, "question")}>
            <ul class="questions">
              ${derived.map((question) => row(question))}
            </ul>
          <//>
        `
      }
      ${
        rest.length > 0 &&
        html`
          <${Opening}
            title=${roots.length ? "In no category" : "Questions"}
            note=${many(rest.length, "question")}
            open=${roots.length === 0 || rest.length <= few}
          >
            <ul class="questions">
              ${rest.map((question) => row(question))}
            </ul>
          <//>
        `
      }
    </div>
  `;
}

async function shelves(catalogue) {
  const categories = await catalogue.categories();
  const byId = new Map(categories.map((category) => [category.id, category]));
  const shelved = new Set(categories.flatMap(({ child_questions: listed }) => listed.map(keyOf)));
  return {
    byId,
    roots: categories.filter(({ lineage }) => lineage.length === 0),
    derived: catalogue.questions.filter((question) => question.derived),
    rest: catalogue.questions.filter((question) => !question.derived && !shelved.has(keyOf(question))),
  };
}

function Shelf({ category, byId, catalogue, row }) {
  const children = category.child_categories.map(({ id }) => byId.get(id)).filter(Boolean);
  const questions = category.child_questions
    .map((question) => catalogue.byKey.get(keyOf(question)))
    .filter(Boolean);
  return html`
    <${Opening} title=${category.name} note=${many(category.attribute_count, "answer")}>
      ${children.map(
        (child) => html`
          <${Shelf} key=${child.id} category=${child} ...${{ byId, catalogue, row }} />
        `,
      )}
      <ul class="questions">
        ${questions.map((question) => row(question))}
      </ul>
    <//>
  `;
}

// A part of the tree that opens; what is in it is made when it is opened first.
function Opening({ title, note, open = false, children }) {
  const [opened, setOpened] = useState(open);
  return html`
    <details open=${open} onToggle=${(event) => event.currentTarget.open && setOpened(true)}>
      <summary>
        ${title}
        <span class="faint">${note}</span>
      </summary>
      ${opened && children}
    </details>
  `;
}
