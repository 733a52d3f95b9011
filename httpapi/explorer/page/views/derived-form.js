// Defines a derived question, or changes one: what it is called, its answers, and whether others may use it.
import { ask } from "../lib/api.js";
import { keyOf } from "../lib/catalogue.js";
import { codeFor, derivingFailed, draftOf, longest, readDerived, saveDraft, savingOf } from "../lib/derived.js";
import { many } from "../lib/figures.js";
import { html, useState } from "../lib/html.js";
import { useAnswer } from "../parts/answer.js";
import { Dialog } from "../parts/dialog.js";
import { Program } from "../parts/program.js";
import { AnswerDialog, Answers } from "./derived-answers.js";

// Below so many more that a user may define it is told how many.
const fewLeft = 20;

// The dialog of a draft, as lib/derived.js has it. saved(key) is called once it is saved, with the question's key.
export function DeriveDialog({ catalogue, draft: begun, saved, close }) {
  const [draft, setDraft] = useState(begun);
  const [refusal, setRefusal] = useState();
  const [busy, setBusy] = useState(false);
  const [edited, edit] = useState(); // the answer whose people are chosen
  const { data: me } = useAnswer((signal) => ask("/v1/me", undefined, { signal }), []);
  const set = (patch) => setDraft((now) => ({ ...now, ...patch }));
  const attempt = async (act) => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await act();
    } catch (error) {
      setRefusal(error);
    }
    setBusy(false);
  };
  const save = (event) => {
    event.preventDefault();
    attempt(async () => {
      const { question } = await saveDraft(draft, catalogue);
      await catalogue.refresh().catch(() => {}); // where it is shown it is asked for again
      saved(keyOf(question));
    });
  };
  const again = () =>
    attempt(async () => {
      const { question, version } = await readDerived(draft.code);
      setDraft(draftOf(question, version));
    });
  const left = me?.quotas.derived_questions?.left;
  return html`
    <${Dialog} title=${draft.version ? "Change this question" : "Save as a question"} close=${close} wide>
      <form class="saving" onSubmit=${save}>
        <${Called} ...${{ catalogue, draft, set }} />
        <${Answers} ...${{ catalogue, draft, set, edit }} />
        <label class="tick">
          <input
            type="checkbox"
            checked=${draft.shared}
            onChange=${(event) => set({ shared: event.target.checked })}
          />
          <span>Shared: everyone may use it who may use what it is made of</span>
        </label>
        ${
          !draft.version &&
          left < fewLeft &&
          html`
            <p class="warning">There is room for ${many(left, "more derived question")} only.</p>
          `
        }
        <${Same} ...${{ catalogue, draft, user: me?.user_id }} />
        <footer>
          ${
            refusal &&
            html`
              <p class="warning" role="alert">
                ${derivingFailed(refusal, !draft.version)} ${" "}
                ${
                  refusal.type === "precondition_failed" &&
                  html`
                    <button type="button" class="link" onClick=${again}>Read it again</button>
                  `
                }
              </p>
            `
          }
          <button class="primary" type="submit" disabled=${busy || nameless(draft)}>
            ${draft.version ? "Save the changes" : "Save"}
          </button>
        </footer>
      </form>
      ${
        edited &&
        html`
          <${AnswerDialog} ...${{ catalogue, draft, set, edited, edit }} close=${() => edit(undefined)} />
        `
      }
    <//>
  `;
}

// Whether something that has to be called something is not, or nothing is there to be called.
const nameless = ({ name, answers }) =>
  answers.length === 0 || [name, ...answers.map((answer) => answer.name)].some((one) => one.trim() === "");

function Called({ catalogue, draft: { name, code, description, version }, set }) {
  return html`
    <div class="called">
      <label>
        Name
        <input
          type="text"
          required
          autofocus
          maxlength=${longest}
          value=${name}
          onInput=${(event) => set({ name: event.target.value })}
        />
      </label>
      <label>
        Code, by which requests name it
        <input
          type="text"
          class="code"
          spellcheck="false"
          autocapitalize="off"
          pattern="[A-Za-z0-9_\\-]+"
          title="Letters, digits, - and _"
          maxlength="64"
          readonly=${Boolean(version)}
          placeholder=${version ? "" : codeFor(name, catalogue)}
          value=${code ?? codeFor(name, catalogue)}
          onInput=${(event) => set({ code: event.target.value })}
        />
      </label>
    </div>
    <label>
      What is meant
      <input
        type="text"
        maxlength="4096"
        value=${description}
        onInput=${(event) => set({ description: event.target.value })}
      />
    </label>
  `;
}

// The commands that save the same.
function Same({ catalogue, draft, user }) {
  const [opened, setOpened] = useState(false);
  const { method, path, record } = savingOf(draft, catalogue);
  return html`
    <details class="same" onToggle=${(event) => event.currentTarget.open && setOpened(true)}>
      <summary>The same from a program</summary>
      ${
        opened &&
        html`
          <${Program} ...${{ path, method, user }} request=${record} />
        `
      }
    </details>
  `;
}
