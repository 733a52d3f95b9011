// Which answers of a question people must have given, how many of them, and of a grid on which points of its scale.
import { html, useState } from "../lib/html.js";
import { useAnswer } from "../parts/answer.js";
import { Dialog, Ticks } from "../parts/dialog.js";
import { refusalNotice } from "../parts/notice.js";

export function LeafDialog({ catalogue, piece, set, close }) {
  const { data, refusal, again } = useAnswer(() => catalogue.question(piece.question), [piece.question]);
  return html`
    <${Dialog} title=${data?.name ?? piece.question} close=${close}>
      ${refusal && refusalNotice(refusal, again)}
      ${
        data
          ? html`
              <${Answers} record=${data} ...${{ piece, set, close }} />
            `
          : !refusal &&
            html`
              <p class="waiting">Reading the answers …</p>
            `
      }
    <//>
  `;
}

function Answers({ record, piece, set, close }) {
  const [ticked, setTicked] = useState((piece.datapoints ?? []).map(String));
  const [points, setPoints] = useState((piece.suffixes ?? []).map(String));
  const [least, setLeast] = useState(piece.min_count ?? 1);
  const choices = record.datapoints.filter(({ accessible }) => accessible);
  const apply = () => {
    const codes = (list, chosen) => list.map(({ code }) => code).filter((code) => chosen.includes(code));
    const { datapoints, suffixes, min_count, ...rest } = piece;
    const [answers, scale] = [codes(choices, ticked), codes(record.suffixes, points)];
    set({
      ...rest,
      ...(answers.length && { datapoints: answers }),
      ...(scale.length && { suffixes: scale }),
      ...(least > 1 && { min_count: least }),
    });
    close();
  };
  const most = ticked.length || choices.length;
  return html`
    <${Ticks}
      legend="Any of these answers; with none ticked, any at all"
      choices=${choices}
      ticked=${ticked}
      change=${setTicked}
    />
    ${
      record.suffixes.length > 0 &&
      html`
        <${Ticks}
          legend="On the scale; with none ticked, anywhere on it"
          choices=${record.suffixes}
          ticked=${points}
          change=${setPoints}
          all=${false}
        />
      `
    }
    <label class="inline">
      At least
      <input
        type="number"
        min="1"
        max=${most}
        value=${least}
        onInput=${(event) => setLeast(Math.max(1, Math.min(most, Number(event.target.value) || 1)))}
      />
      of them
    </label>
    <footer><button class="primary" onClick=${apply}>These people</button></footer>
  `;
}
