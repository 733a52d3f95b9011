// The pieces of an expression as they stand on screen: groups within groups, and leaves.
import { isGroup, piecesOf, put, wordOf } from "../lib/building.js";
import { html, useState } from "../lib/html.js";
import { Dialog } from "../parts/dialog.js";
import { Finder } from "../parts/finder.js";
import { Words } from "../parts/words.js";
import { LeafDialog } from "./audience-leaf.js";

const words = { and: "All of these", or: "Any of these" };

// The piece at a path of the whole, with the pieces in it.
export function Piece({ catalogue, whole, path, set }) {
  const piece = path.reduce((group, i) => piecesOf(group)[i], whole);
  const change = (next) => set(put(whole, path, next));
  return isGroup(piece)
    ? html`
        <${Group} ...${{ catalogue, whole, path, set, piece, change }} />
      `
    : html`
        <${Leaf} ...${{ catalogue, piece, change }} />
      `;
}

function Not({ piece: { not, ...piece }, change }) {
  return html`
    <button
      aria-pressed=${Boolean(not)}
      title="Turn it around: those for whom this does not hold"
      onClick=${() => change(not ? piece : { ...piece, not: true })}
    >
      not
    </button>
  `;
}

function Leaf({ catalogue, piece, change }) {
  const [open, setOpen] = useState(false);
  const { not, ...rest } = piece;
  return html`
    <div class=${`piece leaf ${not ? "not" : ""}`}>
      <${Not} ...${{ piece, change }} />
      <button class="plain" title="Choose the answers" onClick=${() => setOpen(true)}>
        <${Words} catalogue=${catalogue} expression=${rest} />
      </button>
      <button class="quiet" aria-label="Take this out" onClick=${() => change(undefined)}>✕</button>
      ${
        open &&
        html`
          <${LeafDialog} ...${{ catalogue, piece }} close=${() => setOpen(false)} set=${change} />
        `
      }
    </div>
  `;
}

function Group({ catalogue, whole, path, set, piece, change }) {
  const [open, setOpen] = useState(); // "question", or the key of one whose answers are to be chosen
  const pieces = piecesOf(piece);
  const { and, or, ...rest } = piece;
  const say = (event) => change({ ...rest, [event.target.value]: pieces });
  const add = (one) => change({ ...rest, [wordOf(piece)]: [...pieces, one] });
  return html`
    <div class=${`piece group ${piece.not ? "not" : ""}`} role="group" aria-label=${words[wordOf(piece)]}>
      <p class="how">
        <${Not} ...${{ piece, change }} />
        <select aria-label="How many of the group must hold" value=${wordOf(piece)} onChange=${say}>
          ${Object.entries(words).map(
            ([word, name]) => html`
              <option key=${word} value=${word}>${name}</option>
            `,
          )}
        </select>
        ${
          path.length > 0 &&
          html`
            <button class="link" onClick=${() => setOpen("question")}>+ Question</button>
          `
        }
        <button class="quiet" aria-label="Take this group out" onClick=${() => change(undefined)}>✕</button>
      </p>
      ${
        pieces.length === 0 &&
        html`
          <p class="faint">Nothing in it yet: it says nothing.</p>
        `
      }
      ${pieces.map(
        (_, i) => html`
          <${Piece} key=${i} path=${[...path, i]} ...${{ catalogue, whole, set }} />
        `,
      )}
      ${
        open === "question" &&
        html`
          <${Dialog} title="Choose people by a question" close=${() => setOpen(undefined)}>
            <${Finder} catalogue=${catalogue} act=${(key) => setOpen({ key })} />
          <//>
        `
      }
      ${
        open?.key &&
        html`
          <${LeafDialog}
            catalogue=${catalogue}
            piece=${{ question: open.key }}
            close=${() => setOpen(undefined)}
            set=${add}
          />
        `
      }
    </div>
  `;
}
