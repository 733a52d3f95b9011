// Asks for the key.
import { html, useState } from "../lib/html.js";
import { keep } from "../lib/session.js";

export function SignIn({ refused, done }) {
  const [typed, setTyped] = useState("");
  const submit = (event) => {
    event.preventDefault();
    if (typed.trim() === "") return;
    keep(typed);
    done();
  };
  return html`
    <main class="signin">
      <form onSubmit=${submit}>
        <h1>
          <span class="mark" aria-hidden="true"></span>
          Crosswave
        </h1>
        ${
          refused &&
          html`
            <p class="warning" role="alert">
              The server does not know this key, or not any more: it may have expired or been taken back. Ask
              whoever runs the server for another, which they make with
              <code>crosswave key create</code>
              .
            </p>
          `
        }
        <label>
          Your key
          <input
            type="password"
            name="key"
            autocomplete="off"
            spellcheck="false"
            required
            autofocus
            placeholder="crosswave_…"
            value=${typed}
            onInput=${(event) => setTyped(event.target.value)}
          />
        </label>
        <button class="primary" type="submit">Sign in</button>
        <p class="faint">It is kept for this tab alone, and sent to this server alone.</p>
      </form>
    </main>
  `;
}
