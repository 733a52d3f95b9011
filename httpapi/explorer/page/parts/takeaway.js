// What is on screen, to be taken away: as a file, or as the command that asks for the same.
import { send } from "../lib/api.js";
import { commandLine, curl, goProgram, settings } from "../lib/commands.js";
import { html, useState } from "../lib/html.js";
import { Dialog } from "./dialog.js";
import { refusalNotice } from "./notice.js";

const workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

// The files that an endpoint writes where the Accept names their type.
const files = [
  { name: "Excel", ending: "xlsx", accept: workbook },
  { name: "CSV", ending: "csv", accept: "text/csv" },
];

const withoutKey = "The link opens the same view for whoever has a key of this server. It does not hold yours.";

// The dialog for a request to an endpoint. Where the screen has more to give, as a table has its text to paste into a
// sheet or a chart its picture, that comes as extras: [{name, ending, make}], whose make gives a Blob.
export function TakeAway({ path, request, title, extras = [], close }) {
  const [refusal, setRefusal] = useState();
  const [language, setLanguage] = useState("curl");
  const take = async (ending, make) => {
    setRefusal(undefined);
    try {
      save(await make(), `${fileName(title)}.${ending}`);
    } catch (error) {
      setRefusal(error);
    }
  };
  const asked = (accept) => async () => (await send(path, request, { accept })).blob();
  const commands = {
    curl: curl(path, request),
    Go: goProgram(path, request),
    "Command line": commandLine(path, request),
  };
  const text = commands[language];
  return html`
    <${Dialog} title="Take away" close=${close} wide>
      <p class="downloads">
        ${files.map(
          ({ name, ending, accept }) => html`
            <button key=${ending} class="primary" onClick=${() => take(ending, asked(accept))}>${name}</button>
          `,
        )}
        ${extras.map(
          ({ name, ending, make }) => html`
            <button key=${name} onClick=${() => take(ending, make)}>${name}</button>
          `,
        )}
        <${Copy} text=${() => location.href} words="Copy the link" />
      </p>
      <p class="faint">${withoutKey}</p>
      ${refusal && refusalNotice(refusal)}
      <h3>The same from a program</h3>
      <p class="toggles" role="group" aria-label="Language">
        ${Object.keys(commands)
          .filter((name) => commands[name])
          .map(
            (name) => html`
              <button key=${name} aria-pressed=${name === language} onClick=${() => setLanguage(name)}>
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
    <//>
  `;
}

function Copy({ text, words }) {
  const [done, setDone] = useState(false);
  if (!navigator.clipboard) return null; // which pages have on https and on this computer only
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return html`
    <button onClick=${copy}>${done ? "Copied" : words}</button>
  `;
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const fileName = (title) =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 80) || "crosswave";
