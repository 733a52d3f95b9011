// Audience: people by their answers, built piece by piece, with how many they are as one changes it.
import { append, said, tidy } from "../lib/building.js";
import { describe, leaf, questionsOf } from "../lib/expression.js";
import { html, useState } from "../lib/html.js";
import { readSaved } from "../lib/saved.js";
import { useAnswer } from "../parts/answer.js";
import { Dialog } from "../parts/dialog.js";
import { Finder } from "../parts/finder.js";
import { refusalNotice } from "../parts/notice.js";
import { SavedList } from "../parts/saved.js";
import { Scope } from "../parts/scope.js";
import { useNames, Words } from "../parts/words.js";
import { LeafDialog } from "./audience-leaf.js";
import { Piece } from "./audience-pieces.js";
import { Saving } from "./audience-save.js";
import { Size } from "./audience-size.js";
import { Text } from "./audience-text.js";

// It has the parameters that all views share: audience, called, saved and version.
export const audience = { name: "audience", title: "Audience", component: Audience };

function Audience({ catalogue, state, change, go }) {
  const [asked, setAsked] = useState(); // the question whose answers are to be chosen
  const [open, setOpen] = useState();
  const [failed, setFailed] = useState(); // why a saved one could not be opened
  const expression = state.audience && tidy(state.audience);
  const set = (next) => change({ audience: next });
  // The version is that which was read here: what is saved later is saved only if nobody else has changed it since.
  const opened = async ({ id }) => {
    setFailed(undefined);
    setOpen(undefined);
    try {
      const { audience: kept, version } = await readSaved(id);
      change({ audience: tidy(kept.expression), called: kept.name, saved: id, version });
    } catch (refusal) {
      setFailed({ refusal, again: () => opened({ id }) });
    }
  };
  const ask = (key) => {
    setOpen(undefined);
    setAsked(key);
  };
  const close = () => setOpen(undefined);
  const named = useNames(catalogue, expression);
  return html`
    <div class="audience">
      <aside aria-label="Questions">
        <${Finder} catalogue=${catalogue} label="Find a question to choose people by" act=${ask} />
      </aside>
      <section aria-label="The audience">
        ${
          named
            ? html`
                <${Heading} ...${{ catalogue, state, change, expression }} openSaved=${() => setOpen("saved")} />
              `
            : html`
                <p class="waiting" role="status">Reading the answers …</p>
              `
        }
        ${failed && refusalNotice(failed.refusal, failed.again, true)}
        ${
          expression && named
            ? html`
                <${Size} ...${{ catalogue, state, expression: said(expression) }} />
                <${Piece} ...${{ catalogue, whole: expression, set }} path=${[]} />
                <p class="actions">
                  <button onClick=${() => setOpen("question")}>+ Question</button>
                  <button onClick=${() => set(append(expression, { or: [] }))}>+ Group</button>
                </p>
                <${Uses} ...${{ catalogue, state, go, expression: said(expression) }} />
                <${Scope} ...${{ catalogue, state, change }} />
                <${Text} ...${{ catalogue, expression, set }} />
              `
            : !expression &&
              html`
                <${Begin} open=${opened} find=${() => setOpen("question")} />
              `
        }
      </section>
      ${
        open === "question" &&
        html`
          <${Dialog} title="Choose people by a question" close=${close}>
            <${Finder} catalogue=${catalogue} act=${ask} />
          <//>
        `
      }
      ${
        open === "saved" &&
        html`
          <${Dialog} title="Saved audiences" close=${close}>
            <${SavedList} choose=${opened} current=${state.saved} />
          <//>
        `
      }
      ${
        asked &&
        html`
          <${LeafDialog}
            catalogue=${catalogue}
            piece=${leaf(asked)}
            close=${() => setAsked(undefined)}
            set=${(piece) => set(append(expression, piece))}
          />
        `
      }
    </div>
  `;
}

function Begin({ open, find }) {
  return html`
    <div class="begin">
      <h2>Who are you interested in?</h2>
      <p class="faint">
        Choose a question, and tick the answers that people must have given. Or open a saved audience.
      </p>
      <p class="narrow"><button class="primary" onClick=${find}>Choose a question</button></p>
    </div>
    <h2>Saved audiences</h2>
    <${SavedList} choose=${open} />
  `;
}

function Heading({ catalogue, state, change, expression, openSaved }) {
  const anew = () => change({ audience: undefined, called: undefined, saved: undefined, version: undefined });
  return html`
    <header class="subject">
      <div>
        <h1>${state.called ?? (expression ? "A new audience" : "Audience")}</h1>
        <p class="words">
          ${
            expression &&
            html`
              <${Words} catalogue=${catalogue} expression=${expression} />
            `
          }
        </p>
      </div>
      <p class="actions">
        ${
          expression &&
          html`
            <button onClick=${openSaved}>Saved audiences</button>
            <button onClick=${anew}>New</button>
            <${Saving} ...${{ state, change, expression: said(expression) }} />
          `
        }
      </p>
    </header>
  `;
}

// The audience where it is wanted: in a table, as a base, in a profile or as a line.
function Uses({ catalogue, state, go, expression }) {
  const keys = questionsOf(expression);
  const { data } = useAnswer(keys.length ? () => catalogue.answered(keys) : undefined, [keys.join()]);
  if (!expression) return null;
  const name = state.called ?? describe(expression, data ?? new Map(), catalogue);
  const item = { name, expression };
  const lines = state.audiences?.length
    ? state.audiences
    : [{ name: "Everyone", expression: { question: "waves" } }];
  return html`
    <p class="actions uses" role="group" aria-label="Use this audience">
      <button class="primary" onClick=${() => go("profile")}>Who are they?</button>
      <button onClick=${() => go("table", { rows: [...(state.rows ?? []), item] })}>In rows</button>
      <button onClick=${() => go("table", { columns: [...(state.columns ?? []), item] })}>In columns</button>
      <button onClick=${() => go("table", { base: expression })}>As base</button>
      <button onClick=${() => go("trend", { audiences: [...lines, item] })}>As a line</button>
    </p>
  `;
}
