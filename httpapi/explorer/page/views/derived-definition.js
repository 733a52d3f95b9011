// How a derived question is made: who gives each of its answers. Who defined it can change and delete it here.
import { deleteDerived, derivingFailed, draftOf, readDerived } from "../lib/derived.js";
import { html, useRef, useState } from "../lib/html.js";
import { useAnswer } from "../parts/answer.js";
import { refusalNotice } from "../parts/notice.js";
import { useNames, Words } from "../parts/words.js";
import { DeriveDialog } from "./derived-form.js";

// The definition of a question, whose record is the catalogue's. changed() is called after it was changed, deleted()
// after it is gone. It comes all at once, and stands last where it is shown, so that nothing moves when it comes.
export function Definition({ catalogue, record, changed, deleted }) {
  const { code } = record;
  const { data, refusal, again } = useAnswer((signal) => readDerived(code, signal), [code, catalogue.revision]);
  const answers = data?.question.datapoints ?? [];
  const named = useNames(catalogue, { or: answers.map(({ expression }) => expression) });
  const shown = useRef(false);
  if (refusal) return refusalNotice(refusal, again);
  if (data && named) shown.current = true;
  if (!shown.current) return undefined;
  return html`
    <section class="definition">
      <h2>How it is made</h2>
      <table>
        <tbody>
          ${answers.map(
            ({ code: answer, name, expression }) => html`
              <tr key=${answer}>
                <th scope="row">${name}</th>
                <td><${Words} catalogue=${catalogue} expression=${expression} /></td>
              </tr>
            `,
          )}
        </tbody>
      </table>
      <p class="faint">${data && whose(data.question)}</p>
      ${
        data?.question.yours &&
        html`
          <${Actions} ...${{ catalogue, changed, deleted }} ...${data} />
        `
      }
    </section>
  `;
}

export function whose({ yours, shared }) {
  if (!yours) return "Defined and shared by another user.";
  return shared ? "Yours, and shared with everyone who may use what it is made of." : "Yours alone.";
}

// Changes and deletes a question, which was read with the version.
export function Actions({ catalogue, question, version, changed, deleted }) {
  const [changing, setChanging] = useState(false);
  const [asked, setAsked] = useState(false); // whether it is to be deleted, which is asked once more
  const [failed, setFailed] = useState("");
  const remove = async () => {
    setFailed("");
    try {
      await deleteDerived(question.code, version);
      await catalogue.refresh().catch(() => {}); // where it is missing it is asked for again
      deleted();
    } catch (error) {
      setFailed(derivingFailed(error));
      setAsked(false);
    }
  };
  return html`
    ${
      failed &&
      html`
        <p class="warning" role="alert">${failed}</p>
      `
    }
    <p class="actions">
      <button type="button" onClick=${() => setChanging(true)}>Change</button>
      <button type="button" onClick=${asked ? remove : () => setAsked(true)}>
        ${asked ? "Delete it for good" : "Delete"}
      </button>
    </p>
    ${
      changing &&
      html`
        <${DeriveDialog}
          catalogue=${catalogue}
          draft=${draftOf(question, version)}
          close=${() => setChanging(false)}
          saved=${() => {
            setChanging(false);
            changed();
          }}
        />
      `
    }
  `;
}
