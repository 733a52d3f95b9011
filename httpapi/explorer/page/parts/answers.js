// Chooses people by their answers to a question.
import { leaf } from "../lib/expression.js";
import { html, useState } from "../lib/html.js";
import { useAnswer } from "./answer.js";
import { Ticks } from "./dialog.js";
import { refusalNotice } from "./notice.js";

// Asks for the answers of a question that people must have given at least one of.
export function AnswersFilter({ catalogue, question, add, cancel }) {
  const { data: record, refusal, again } = useAnswer(() => catalogue.question(question), [question]);
  const [ticked, setTicked] = useState([]);
  if (refusal) return refusalNotice(refusal, again);
  if (!record)
    return html`
      <p class="waiting">Reading the answers …</p>
    `;
  const choices = record.datapoints.filter(({ accessible }) => accessible);
  return html`
    <${Ticks} legend=${`${record.name}: any of`} choices=${choices} ticked=${ticked} change=${setTicked} />
    <footer>
      <button onClick=${cancel}>Another question</button>
      <button class="primary" disabled=${ticked.length === 0} onClick=${() => add(leaf(question, ticked))}>
        Add
      </button>
    </footer>
  `;
}
