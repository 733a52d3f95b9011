// Who is counted, where and when: the base, the waves and the markets, which all views share.
import { all } from "../lib/expression.js";
import { listed, many } from "../lib/figures.js";
import { html, useState } from "../lib/html.js";
import { Dialog, Ticks } from "./dialog.js";
import { Subjects } from "./subject.js";
import { Words } from "./words.js";

// The buttons that tell the scope and open what changes it. The words of a view for when no wave is chosen go into
// anyWave, since the interface counts the last four of a table and all of everything else.
export function Scope({ catalogue, state, change, anyWave = "All waves" }) {
  const [open, setOpen] = useState();
  const waves = state.waves ?? [];
  const locations = state.locations ?? [];
  const close = () => setOpen(undefined);
  const names = (codes, one) =>
    codes.length > 2 ? many(codes.length, one) : listed(codes.map((code) => catalogue.name(code)));
  return html`
    <div class="scope">
      <button onClick=${() => setOpen("base")}>
        <span>Base</span>
        <${Words} catalogue=${catalogue} expression=${state.base} />
      </button>
      <button onClick=${() => setOpen("waves")}>
        <span>Waves</span>
        ${waves.length ? names(waves, "wave") : anyWave}
      </button>
      <button onClick=${() => setOpen("locations")}>
        <span>Markets</span>
        ${locations.length ? names(locations, "market") : "All markets"}
      </button>
      ${
        open === "base" &&
        html`
          <${BaseDialog} ...${{ catalogue, state, change, close }} />
        `
      }
      ${
        open === "waves" &&
        html`
          <${CodesDialog}
            title="Waves"
            choices=${catalogue.waves.map(({ code, name, kind }) => ({ code, name, note: kind }))}
            chosen=${waves}
            none=${anyWave}
            close=${close}
            choose=${(codes) => change({ waves: codes })}
          />
        `
      }
      ${
        open === "locations" &&
        html`
          <${CodesDialog}
            title="Markets"
            choices=${catalogue.locations.map(({ code, name, region }) => ({ code, name, note: region?.name }))}
            chosen=${locations}
            none="All markets"
            close=${close}
            choose=${(codes) => change({ locations: codes })}
          />
        `
      }
    </div>
  `;
}

function CodesDialog({ title, choices, chosen, none, close, choose }) {
  const [ticked, setTicked] = useState(chosen);
  const apply = () => {
    choose(choices.map(({ code }) => code).filter((code) => ticked.includes(code)));
    close();
  };
  return html`
    <${Dialog} title=${title} close=${close}>
      <${Ticks}
        legend=${`With none ticked: ${none.toLowerCase()}`}
        choices=${choices}
        ticked=${ticked}
        change=${setTicked}
      />
      <footer><button class="primary" onClick=${apply}>Count these</button></footer>
    <//>
  `;
}

// The filters of the base: the parts of its "and", or the base itself where it is no such list.
function filters(base) {
  if (!base) return [];
  return base.and && !base.not && !base.question && !base.or ? base.and : [base];
}

function BaseDialog({ catalogue, state, change, close }) {
  const parts = filters(state.base);
  const set = (list) => change({ base: list.length ? all(list) : undefined });
  return html`
    <${Dialog} title="Base: whom everything is counted among" close=${close}>
      <ul class="filters">
        ${
          parts.length === 0 &&
          html`
            <li class="faint">Everyone. Choose a question below to count some of them only.</li>
          `
        }
        ${parts.map(
          (part, i) => html`
            <li>
              <${Words} catalogue=${catalogue} expression=${part} />
              <button class="link" onClick=${() => set(parts.filter((_, k) => k !== i))}>Remove</button>
            </li>
          `,
        )}
      </ul>
      <${Subjects}
        ...${{ catalogue, state }}
        label="Find a question to filter by"
        choose=${({ expression }) => set([...parts, expression])}
      />
    <//>
  `;
}
