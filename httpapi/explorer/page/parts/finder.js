// Finds questions as one types: by their names, their answers and the categories above them. Without words it shows the
// categories as a tree.
import { ask } from "../lib/api.js";
import { keyOf } from "../lib/catalogue.js";
import { listed, many } from "../lib/figures.js";
import { html, useState } from "../lib/html.js";
import { useAnswer, useSettled } from "./answer.js";
import { refusalNotice } from "./notice.js";
import { Tree } from "./tree.js";

// How many questions a search shows.
const shown = 60;

// act(key) is called for the question that is chosen. Besides that, more(key) may give buttons that stand behind each.
// Where the words are kept elsewhere, as in the address, they come with words and setWords.
export function Finder({ catalogue, label = "Find a question", act, more, current, words, setWords }) {
  const [own, setOwn] = useState("");
  const typed = words ?? own;
  const settled = useSettled(typed.trim());
  const { data, refusal, busy, again } = useAnswer(
    settled === ""
      ? undefined
      : (signal) => ask("/v3/questions/filter", { search: settled, limit: shown }, { signal }),
    [settled, catalogue.revision],
  );
  const row = (question, match) => html`
    <${Found}
      key=${keyOf(question)}
      question=${question}
      match=${match}
      catalogue=${catalogue}
      ...${{ act, more, current }}
    />
  `;
  return html`
    <div class="finder">
      <input
        type="search"
        aria-label=${label}
        placeholder="Questions, answers, categories"
        maxlength="256"
        value=${typed}
        onInput=${(event) => (setWords ?? setOwn)(event.target.value)}
      />
      ${refusal && refusalNotice(refusal, again)}
      <div class="found" aria-busy=${busy || typed.trim() !== settled}>
        ${
          settled === "" &&
          html`
            <${Tree} catalogue=${catalogue} row=${row} />
          `
        }
        ${
          settled !== "" &&
          data &&
          html`
            <p class="faint" role="status">
              ${data.total === 0 ? "No question has all of these words." : many(data.total, "question")}
              ${data.total > shown && `, of which the best ${shown}`}
            </p>
            <ul class="questions">
              ${data.questions.map((question) => row(question, question.match))}
            </ul>
          `
        }
      </div>
    </div>
  `;
}

// What stands on the clipboard of a drag: the key of a question.
export const dragType = "application/x-crosswave-question";

function Found({ question, match, catalogue, act, more, current }) {
  const key = keyOf(question);
  const drag = (event) => {
    event.dataTransfer.setData(dragType, key);
    event.dataTransfer.setData("text/plain", key);
    event.dataTransfer.effectAllowed = "copy";
  };
  return html`
    <li class=${question.accessible ? "" : "closed"}>
      <button
        class="question"
        draggable="true"
        onDragStart=${drag}
        aria-current=${key === current ? "true" : null}
        disabled=${!question.accessible}
        onClick=${() => act(key)}
      >
        <span class="name">${question.name}</span>
        <span class="faint">${about(question, match, catalogue)}</span>
      </button>
      ${
        question.accessible &&
        more &&
        html`
          <span class="more">${more(key)}</span>
        `
      }
    </li>
  `;
}

// What stands below a question's name: where the words were found, or how many answers it has.
function about(question, match, catalogue) {
  const parts = [];
  if (catalogue.namespaces.length > 1) {
    parts.push(catalogue.namespaces.find(({ code }) => code === question.namespace_code)?.name);
  }
  const answers = [...(match?.datapoints ?? []), ...(match?.suffixes ?? [])].map(({ name }) => name);
  if (answers.length) parts.push(`answers: ${listed(answers, 3)}`);
  else parts.push(many(question.attribute_count, "answer"));
  if (match?.categories.length)
    parts.push(
      `in ${listed(
        match.categories.map(({ name }) => name),
        2,
      )}`,
    );
  if (question.derived) parts.push("derived");
  if (!question.accessible) parts.push("not granted by your key");
  return parts.filter(Boolean).join(" · ");
}
