// The two axes of a table: what stands in the rows and in the columns, to be put there by click, drag or keyboard.
import { opened } from "../lib/axis.js";
import { html, useState } from "../lib/html.js";
import { Dialog } from "../parts/dialog.js";
import { dragType, Finder } from "../parts/finder.js";
import { Audiences } from "../parts/subject.js";
import { ItemDialog } from "./table-item.js";

// What stands on the clipboard of a drag from one axis to another: which axis, and the place of the item on it.
const itemType = "application/x-crosswave-item";

export function Axes({ catalogue, state, items, change, add }) {
  const [adding, setAdding] = useState();
  const swap = () => change({ rows: items.columns, columns: items.rows, sort: undefined });
  const move = ({ axis: from, at }, to) => {
    const left = items[from].filter((_, k) => k !== at);
    const joined = [...(from === to ? left : items[to]), items[from][at]];
    change({ [from]: left, [to]: joined, sort: undefined });
  };
  const axis = (name, title) => html`
    <${Axis}
      ...${{ name, title, catalogue, change, add, move }}
      items=${items[name]}
      open=${() => setAdding(name)}
    />
  `;
  return html`
    <div class="axes">
      ${axis("rows", "Rows")} ${axis("columns", "Columns")}
      <button class="swap" title="Swap rows and columns" aria-label="Swap rows and columns" onClick=${swap}>
        ⇄
      </button>
      ${
        adding &&
        html`
          <${Dialog} title=${`Add a question to the ${adding}`} close=${() => setAdding(undefined)}>
            <${Fieldwork}
              ...${{ catalogue, state, items, change, axis: adding }}
              close=${() => setAdding(undefined)}
            />
            <${Finder}
              catalogue=${catalogue}
              act=${(key) => {
                add(adding, key);
                setAdding(undefined);
              }}
            />
            <${Audiences}
              ...${{ catalogue, state }}
              add=${(item) => {
                add(adding, item);
                setAdding(undefined);
              }}
            />
          <//>
        `
      }
    </div>
  `;
}

// Puts waves or markets on an axis. All waves are counted then, where none are chosen.
function Fieldwork({ catalogue, state, items, change, axis, close }) {
  const put = (key) => {
    const waves = state.waves?.length || key !== "waves" ? state.waves : catalogue.waves.map(({ code }) => code);
    change({ [axis]: [...items[axis], key], waves, sort: undefined });
    close();
  };
  return html`
    <p class="toggles">
      <button onClick=${() => put("waves")}>Waves</button>
      <button onClick=${() => put("locations")}>Markets</button>
    </p>
  `;
}

function Axis({ name, title, catalogue, items, change, add, move, open }) {
  const [over, setOver] = useState(false);
  const [edited, setEdited] = useState();
  const carries = ({ dataTransfer: { types } }) => types.includes(dragType) || types.includes(itemType);
  const drag = (at) => (event) => {
    event.dataTransfer.setData(itemType, JSON.stringify({ axis: name, at }));
    event.dataTransfer.effectAllowed = "move";
  };
  const dragOver = (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event) => {
    setOver(false);
    if (!carries(event)) return;
    event.preventDefault();
    const item = event.dataTransfer.getData(itemType);
    if (item) move(JSON.parse(item), name);
    else add(name, event.dataTransfer.getData(dragType));
  };
  const set = (list) => change({ [name]: list, sort: undefined });
  return html`
    <div
      class=${`axis ${over ? "over" : ""}`}
      role="group"
      aria-label=${title}
      onDragOver=${dragOver}
      onDragLeave=${() => setOver(false)}
      onDrop=${drop}
    >
      <span class="title">${title}</span>
      ${items.map((item, i) => {
        const words = wordsOf(item, catalogue);
        return html`
          <span class="chip" key=${i} draggable="true" onDragStart=${drag(i)}>
            <button onClick=${() => setEdited(i)} title="Choose answers and nets">${words}</button>
            <button
              aria-label=${`Take ${words} out of the ${name}`}
              onClick=${() => set(items.filter((_, k) => k !== i))}
            >
              ✕
            </button>
          </span>
        `;
      })}
      <button class="add" onClick=${open}>+ Add</button>
      ${
        edited !== undefined &&
        items[edited] !== undefined &&
        html`
          <${ItemDialog}
            catalogue=${catalogue}
            item=${items[edited]}
            close=${() => setEdited(undefined)}
            set=${(item) => set(items.map((one, k) => (k === edited ? item : one)))}
            changed=${() => change({}, true)}
            remove=${() => {
              set(items.filter((_, k) => k !== edited));
              setEdited(undefined);
            }}
          />
        `
      }
    </div>
  `;
}

function wordsOf(item, catalogue) {
  const { name, question, datapoints, suffixes, nets } = opened(item);
  const notes = [
    datapoints && `${datapoints.length} answers`,
    suffixes && "one scale",
    nets && `${nets.length} net${nets.length > 1 ? "s" : ""}`,
  ];
  const rest = notes.filter(Boolean).join(", ");
  return (name ?? catalogue.byKey.get(question)?.name ?? question) + (rest ? ` (${rest})` : "");
}
