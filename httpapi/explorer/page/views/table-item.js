// Which answers of a question stand on an axis, and which of them are added up to nets: for this table alone, or saved
// as a derived question.
import { closed, opened } from "../lib/axis.js";
import { draftOfNets } from "../lib/derived.js";
import { html, useState } from "../lib/html.js";
import { useAnswer } from "../parts/answer.js";
import { Dialog, Ticks } from "../parts/dialog.js";
import { refusalNotice } from "../parts/notice.js";
import { Definition } from "./derived-definition.js";
import { DeriveDialog } from "./derived-form.js";

// set(item) puts another item in the place of this one; changed() and remove() are called where a derived question was
// changed or deleted.
export function ItemDialog({ catalogue, item, set, changed, remove, close }) {
  const { question, name, expression } = opened(item);
  const {
    data: record,
    refusal,
    again,
  } = useAnswer(question ? () => catalogue.question(question) : undefined, [question, catalogue.revision]);
  if (expression) {
    const text = JSON.stringify(expression, null, 2);
    return html`
      <${Dialog} title=${name} close=${close}><pre>${text}</pre><//>
    `;
  }
  return html`
    <${Dialog} title=${record?.name ?? question} close=${close}>
      ${refusal && refusalNotice(refusal, again)}
      ${
        record
          ? html`
              <${Answers} ...${{ catalogue, record, item, set, close }} />
              ${
                record.derived &&
                html`
                  <${Definition} ...${{ catalogue, record, changed }} deleted=${remove} />
                `
              }
            `
          : !refusal &&
            html`
              <p class="waiting">Reading the answers …</p>
            `
      }
    <//>
  `;
}

function Answers({ catalogue, record, item, set, close }) {
  const { datapoints = [], suffixes = [], nets = [], ...rest } = opened(item);
  const [draft, setDraft] = useState(); // the question that is made of the nets
  const choices = record.datapoints.filter(({ accessible }) => accessible);
  const codes = choices.map(({ code }) => code);
  const [ticked, setTicked] = useState([]);
  const ordered = codes.filter((code) => ticked.includes(code));
  const save = (patch) => set(closed({ ...rest, datapoints, suffixes, nets, ...patch }));
  const derive = () =>
    setDraft(draftOfNets(rest.question, record, [...nets, ...(ordered.length ? [ordered] : [])], suffixes));
  const nameOf = (code) => record.datapoints.find((one) => one.code === code)?.name ?? code;
  return html`
    ${
      record.suffixes.length > 0 &&
      html`
        <fieldset class="ticks">
          <legend>The scale</legend>
          <label>
            <input
              type="radio"
              name="scale"
              checked=${suffixes.length === 0}
              onChange=${() => save({ suffixes: [] })}
            />
            <span>Statement × scale</span>
          </label>
          ${record.suffixes.map(
            ({ code, name }) => html`
              <label key=${code}>
                <input
                  type="radio"
                  name="scale"
                  checked=${suffixes.includes(code)}
                  onChange=${() => save({ suffixes: [code] })}
                />
                <span>${name} only</span>
              </label>
            `,
          )}
        </fieldset>
      `
    }
    <p class="faint">
      ${datapoints.length ? `Shown: ${datapoints.map(nameOf).join(", ")}.` : "All answers are shown."}
      ${
        datapoints.length > 0 &&
        html`
          <button class="link" onClick=${() => save({ datapoints: [] })}>Show all</button>
        `
      }
    </p>
    ${
      nets.length > 0 &&
      html`
        <ul class="filters">
          ${nets.map(
            (net, i) => html`
              <li>
                Net: ${net.map(nameOf).join(" or ")}
                <button class="link" onClick=${() => save({ nets: nets.filter((_, k) => k !== i) })}>Remove</button>
              </li>
            `,
          )}
        </ul>
      `
    }
    <${Ticks} legend="Tick answers" choices=${choices} ticked=${ticked} change=${setTicked} />
    <footer>
      <button disabled=${ordered.length < 2} onClick=${() => (save({ nets: [...nets, ordered] }), setTicked([]))}>
        Add as a net
      </button>
      <button disabled=${ordered.length === 0} onClick=${() => (save({ datapoints: ordered }), setTicked([]))}>
        Show only these
      </button>
      <button disabled=${nets.length + ordered.length === 0} onClick=${derive}>Save as a question</button>
      <button class="primary" onClick=${close}>Done</button>
    </footer>
    ${
      draft &&
      html`
        <${DeriveDialog}
          ...${{ catalogue, draft }}
          close=${() => setDraft(undefined)}
          saved=${(key) => {
            set(key);
            close();
          }}
        />
      `
    }
  `;
}
