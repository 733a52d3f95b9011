// Saves an audience: as a new one, or as the saved one that it was opened from.
import { html, useState } from "../lib/html.js";
import {
  changeSaved,
  createSaved,
  deleteSaved,
  foldersOf,
  newFolder,
  noFolder,
  savedAudiences,
  savingFailed,
} from "../lib/saved.js";
import { useAnswer } from "../parts/answer.js";
import { Dialog } from "../parts/dialog.js";
import { refusalNotice } from "../parts/notice.js";

export function Saving({ state, change, expression }) {
  const [open, setOpen] = useState(false);
  return html`
    <button class="primary" disabled=${!expression} onClick=${() => setOpen(true)}>Save</button>
    ${
      open &&
      html`
        <${SaveDialog} ...${{ state, change, expression }} close=${() => setOpen(false)} />
      `
    }
  `;
}

// The user's folders, and the saved audience that this was opened as, where that is the user's own.
async function known(id, signal) {
  const { audiences, user } = await savedAudiences(signal);
  const mine = audiences.filter((audience) => audience.user_id === user);
  return { own: mine.find((audience) => audience.id === id), folders: foldersOf(mine) };
}

function SaveDialog({ state, change, expression, close }) {
  const { data, refusal, again } = useAnswer((signal) => known(state.saved, signal), [state.saved]);
  return html`
    <${Dialog} title="Save this audience" close=${close}>
      ${refusal && refusalNotice(refusal, again)}
      ${
        data
          ? html`
              <${Form} ...${{ state, change, expression, close }} ...${data} />
            `
          : !refusal &&
            html`
              <p class="waiting">Looking at what is saved …</p>
            `
      }
    <//>
  `;
}

function Form({ state, change, expression, own, folders, close }) {
  const [name, setName] = useState(state.called ?? own?.name ?? "");
  const [folder, setFolder] = useState(own?.folder_id ?? noFolder);
  const [shared, setShared] = useState(own?.shared ?? false);
  const [failed, setFailed] = useState("");
  const [asked, setAsked] = useState(false); // whether it is to be deleted, which is asked once more
  const [busy, setBusy] = useState(false);
  const anew = "new";
  const record = () => ({
    name: name.trim(),
    expression,
    shared,
    folder_id: folder === anew ? newFolder() : folder,
  });
  const attempt = async (act, done) => {
    setBusy(true);
    setFailed("");
    try {
      done(await act());
      close();
    } catch (error) {
      setFailed(savingFailed(error));
      setBusy(false);
    }
  };
  const kept = ({ audience, version: now }) =>
    change({ called: audience.name, saved: audience.id, version: now, audience: expression });
  const id = own?.id;
  // The version is that which was opened, so that nobody else's change since then is written over unseen.
  const { version } = state;
  const replace = () => attempt(() => changeSaved(id, record(), version), kept);
  const create = () => attempt(() => createSaved(record()), kept);
  const remove = () =>
    attempt(
      () => deleteSaved(id, version),
      () => change({ saved: undefined, version: undefined }),
    );
  const submit = (event) => {
    event.preventDefault();
    if (own) replace();
    else create();
  };
  const nameless = name.trim() === "" || busy;
  return html`
    <form class="saving" onSubmit=${submit}>
      <label>
        Name
        <input type="text" maxlength="255" value=${name} onInput=${(event) => setName(event.target.value)} />
      </label>
      <label>
        Folder
        <select value=${folder} onChange=${(event) => setFolder(event.target.value)}>
          ${folders.map(
            ({ folder: code, name: words, audiences }) => html`
              <option key=${code} value=${code}>${words}${code !== noFolder && `: ${audiences[0].name} …`}</option>
            `,
          )}
          <option value=${anew}>A new folder</option>
        </select>
      </label>
      <label class="tick">
        <input type="checkbox" checked=${shared} onChange=${(event) => setShared(event.target.checked)} />
        Shared: everyone with a key of this server may use it
      </label>
      ${
        failed &&
        html`
          <p class="warning" role="alert">${failed}</p>
        `
      }
      <footer>
        ${
          own &&
          html`
            <button type="button" disabled=${busy} onClick=${asked ? remove : () => setAsked(true)}>
              ${asked ? "Delete it for good" : "Delete"}
            </button>
            <button type="button" disabled=${nameless} onClick=${create}>Save as a new one</button>
          `
        }
        <button class="primary" type="submit" disabled=${nameless}>${own ? "Save the changes" : "Save"}</button>
      </footer>
    </form>
  `;
}
