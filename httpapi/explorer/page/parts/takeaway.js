// What is on screen, to be taken away: as a file, or as the command that asks for the same.
import { send } from "../lib/api.js";
import { html, useState } from "../lib/html.js";
import { Dialog } from "./dialog.js";
import { refusalNotice } from "./notice.js";
import { Copy, Program } from "./program.js";

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
  const [failed, setFailed] = useState(); // why there is no file
  const take = async (ending, make) => {
    setFailed(undefined);
    try {
      save(await make(), `${fileName(title)}.${ending}`);
    } catch (refusal) {
      setFailed({ refusal, again: () => take(ending, make) });
    }
  };
  const asked = (accept) => async () => (await send(path, request, { accept })).blob();
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
      ${failed && refusalNotice(failed.refusal, failed.again, true)}
      <h3>The same from a program</h3>
      <${Program} ...${{ path, request }} />
    <//>
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
