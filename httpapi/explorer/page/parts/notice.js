// Says that something is not there, why, and what to do about it.
import { passing } from "../lib/api.js";
import { html } from "../lib/html.js";

export function Notice({ title, action, act, children }) {
  return html`
    <section class="notice" role="alert">
      <h2>${title}</h2>
      ${children}
      ${
        action &&
        html`
          <button class="primary" onClick=${act}>${action}</button>
        `
      }
    </section>
  `;
}

const titles = {
  away: "The server is away",
  busy: "The server is busy",
  forbidden: "Your key does not grant all of this",
  key: "Your key is not valid",
  wrong: "This can't be asked so",
};

const advice = {
  away: "Start the server again, or wait until it is back.",
  busy: "Others are asking a lot just now.",
  forbidden: "The link may be from a colleague with another key, or name what the survey does not have any more.",
  key: "Sign in with another key.",
  wrong: "Take away what was added last, or go back.",
};

const tryAgain = "Wait a moment, and try again.";
const byItself = "The page asks again by itself, and goes on where you are.";

// The notice of why there is no answer. What is asked but once is not asked again by itself.
export function refusalNotice(refusal, again, once = false) {
  const kind = titles[refusal.kind] ? refusal.kind : "wrong";
  return html`
    <${Notice} title=${titles[kind]} action=${again && "Try again"} act=${again}>
      <p>${refusal.message}</p>
      <p>${advice[kind]} ${passing.has(kind) && (once ? tryAgain : byItself)}</p>
    <//>
  `;
}
