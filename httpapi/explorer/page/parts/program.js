// The same from a program: commands that ask for what is on screen, or do what is about to be done.
import { commandLine, curl, goProgram, settings } from "../lib/commands.js";
import { html, useState } from "../lib/html.js";

// The commands of a request; where there is no method it is POST, and without a user the command line's is its first.
export function Program({ path, request, method, user }) {
  const [language, setLanguage] = useState("curl");
  const commands = {
    curl: curl(path, request, method),
    Go: goProgram(path, request),
    "Command line": commandLine(path, request, method, user),
  };
  const text = commands[language];
  return html`
    <p class="toggles" role="group" aria-label="Language">
      ${Object.keys(commands)
        .filter((name) => commands[name])
        .map(
          (name) => html`
            <button key=${name} type="button" aria-pressed=${name === language} onClick=${() => setLanguage(name)}>
              ${name}
            </button>
          `,
        )}
      <${Copy} text=${() => text} words="Copy" />
    </p>
    ${
      language === "curl" &&
      html`
        <pre>${settings()}</pre>
      `
    }
    <pre class="command" tabindex="0">${text}</pre>
  `;
}

// A button that puts a text on the clipboard.
export function Copy({ text, words }) {
  const [done, setDone] = useState(false);
  if (!navigator.clipboard) return null; // which pages have on https and on this computer only
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return html`
    <button type="button" onClick=${copy}>${done ? "Copied" : words}</button>
  `;
}
