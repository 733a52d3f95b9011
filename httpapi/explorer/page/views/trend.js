// Trend: how shares change over the waves, of one audience or several.
import { count, listed, many } from "../lib/figures.js";
import { html, useState } from "../lib/html.js";
import { answersOf, audiencesOf, mostLines } from "../lib/trending.js";
import { useAnswer } from "../parts/answer.js";
import { Dialog, Ticks } from "../parts/dialog.js";
import { Finder } from "../parts/finder.js";
import { refusalNotice } from "../parts/notice.js";
import { Scope } from "../parts/scope.js";
import { SubjectDialog } from "../parts/subject.js";
import { Drawn } from "./trend-lines.js";

// Parameters of its own: trend, the key of the question; answers, the codes of those that have lines; part, the point
// of the scale of a grid; matched, "yes" to count only the markets that all waves have; audiences, {name, expression}.
export const trend = { name: "trend", title: "Trend", component: Trend };

function Trend({ catalogue, state, change }) {
  const choose = (key) => change({ trend: key, answers: undefined, part: undefined });
  if (!state.trend)
    return html`
      <div class="plain">
        <h1>How has it changed?</h1>
        <p class="faint">Choose a question, and see its answers wave by wave.</p>
        <${Finder} catalogue=${catalogue} act=${choose} />
      </div>
    `;
  return html`
    <${Asked} key=${state.trend} ...${{ catalogue, state, change, choose }} />
  `;
}

function Asked({ catalogue, state, change, choose }) {
  const [open, setOpen] = useState();
  const { data: record, refusal, busy, again } = useAnswer(() => catalogue.question(state.trend), [state.trend]);
  const close = () => setOpen(undefined);
  if (refusal) return refusalNotice(refusal, again);
  if (!record)
    return html`
      <p class=${busy ? "waiting" : "warning"}>
        ${busy ? "Reading the question …" : `There is no question ${state.trend} in this survey.`}
        ${
          !busy &&
          html`
            <button class="link" onClick=${() => choose(undefined)}>Choose another</button>
          `
        }
      </p>
    `;
  return html`
    <div class="trend">
      <header class="subject">
        <div>
          <h1>${record.name}</h1>
          <p class="faint">${record.description}</p>
        </div>
        <p class="actions"><button onClick=${() => setOpen("question")}>Another question</button></p>
      </header>
      <${Scope} ...${{ catalogue, state, change }} />
      <${Choices} ...${{ record, state, change, setOpen }} />
      <${Drawn} ...${{ catalogue, record, state }} />
      ${
        open === "question" &&
        html`
          <${Dialog} title="Another question" close=${close}>
            <${Finder} catalogue=${catalogue} act=${choose} current=${state.trend} />
          <//>
        `
      }
      ${
        open === "answers" &&
        html`
          <${AnswersDialog} ...${{ record, state, change, close }} />
        `
      }
      ${
        open === "audience" &&
        html`
          <${SubjectDialog}
            title="Add an audience as a line"
            ...${{ catalogue, state, close }}
            choose=${({ name, expression }) => change({ audiences: [...withEveryone(state), { name, expression }] })}
          />
        `
      }
    </div>
  `;
}

// The first audience that is added stands beside everyone, to be compared with.
const withEveryone = (state) => (state.audiences?.length ? state.audiences : [everyone]);
const everyone = { name: "Everyone", expression: { question: "waves" } };

function Choices({ record, state, change, setOpen }) {
  const answers = answersOf(state, record);
  const audiences = state.audiences ?? [];
  const full = (audiences.length || 1) >= mostLines;
  return html`
    <div class="options" role="group" aria-label="What the lines are of">
      <button aria-haspopup="dialog" onClick=${() => setOpen("answers")}>
        <span class="faint">Answers</span>
        ${listed(
          answers.map(({ name }) => name),
          2,
        )}
      </button>
      ${
        record.suffixes.length > 0 &&
        html`
          <select
            aria-label="On the scale"
            value=${state.part ?? ""}
            onChange=${(event) => change({ part: event.target.value || undefined })}
          >
            <option value="">Any of the scale</option>
            ${record.suffixes.map(
              ({ code, name }) => html`
                <option key=${code} value=${code}>${name}</option>
              `,
            )}
          </select>
        `
      }
      ${audiences.map(
        ({ name }, i) => html`
          <span class="chip" key=${i}>
            <span>${name}</span>
            <button
              aria-label=${`Take ${name} out`}
              onClick=${() => change({ audiences: audiences.filter((_, k) => k !== i) })}
            >
              ✕
            </button>
          </span>
        `,
      )}
      <button disabled=${full} onClick=${() => setOpen("audience")}>+ Audience</button>
      <button
        aria-pressed=${Boolean(state.matched)}
        title="Count only the markets that all waves have"
        onClick=${() => change({ matched: state.matched ? undefined : "yes" })}
      >
        Same markets
      </button>
    </div>
  `;
}

function AnswersDialog({ record, state, change, close }) {
  const choices = record.datapoints.filter(({ accessible }) => accessible);
  const [ticked, setTicked] = useState(answersOf(state, record).map(({ code }) => code));
  const room = Math.max(1, Math.floor(mostLines / audiencesOf(state).length));
  const apply = () => {
    change({ answers: choices.map(({ code }) => code).filter((code) => ticked.includes(code)) });
    close();
  };
  return html`
    <${Dialog} title="Which answers have lines" close=${close}>
      <${Ticks}
        legend=${`At most ${many(room, "answer")}`}
        choices=${choices}
        ticked=${ticked}
        change=${setTicked}
        all=${false}
      />
      <footer>
        <span class="faint" role="status">${count(ticked.length)} of ${count(room)}</span>
        <button class="primary" disabled=${ticked.length === 0 || ticked.length > room} onClick=${apply}>
          Draw these
        </button>
      </footer>
    <//>
  `;
}
