// The frame around the views: who is signed in, the tabs, and what to do where there is nothing to show.
import { forgetVersion, onKeyRefused, onVersion } from "./lib/api.js";
import { read, write } from "./lib/address.js";
import { loadCatalogue } from "./lib/catalogue.js";
import { html, useCallback, useEffect, useState } from "./lib/html.js";
import { forget, key } from "./lib/session.js";
import { useAnswer } from "./parts/answer.js";
import { Notice, refusalNotice } from "./parts/notice.js";
import { SignIn } from "./parts/signin.js";
import { views } from "./views.js";

export function App() {
  const [signedIn, setSignedIn] = useState(key() !== "");
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    onKeyRefused(() => {
      forget();
      setRefused(true);
      setSignedIn(false);
    });
  }, []);
  const signOut = () => {
    forget();
    setRefused(false);
    setSignedIn(false);
  };
  if (!signedIn)
    return html`
      <${SignIn} refused=${refused} done=${() => setSignedIn(true)} />
    `;
  return html`
    <${Explorer} signOut=${signOut} />
  `;
}

function Explorer({ signOut }) {
  const { data: catalogue, refusal, again } = useAnswer(() => loadCatalogue(), []);
  const [changed, setChanged] = useState(false);
  useEffect(() => onVersion(() => setChanged(true)), []);
  const load = () => {
    setChanged(false);
    forgetVersion();
    again();
  };
  const address = useAddress();
  const view = views.find(({ name }) => name === address.view) ?? views[0];
  useEffect(() => {
    document.title = `${view.title} – Crosswave`;
  }, [view]);
  return html`
    <header class="top">
      <a class="brand" href=${write(views[0].name, {})}>
        <span class="mark" aria-hidden="true"></span>
        Crosswave
      </a>
      <nav aria-label="Views">
        ${views.map(
          ({ name, title }) => html`
            <a href=${write(name, address.state)} aria-current=${name === view.name ? "page" : null}>${title}</a>
          `,
        )}
      </nav>
      <div class="aside">
        <a href="docs">Interface</a>
        <button class="quiet" onClick=${signOut}>Sign out</button>
      </div>
    </header>
    ${
      changed &&
      html`
        <div class="strip" role="status">
          There is a new version of the survey.
          <button class="link" onClick=${load}>Show it</button>
        </div>
      `
    }
    <main>
      ${refusal && refusalNotice(refusal, load)}
      ${
        catalogue?.empty &&
        html`
          <${EmptyStore} again=${load} />
        `
      }
      ${
        catalogue &&
        !catalogue.empty &&
        html`
          <${view.component}
            key=${view.name}
            catalogue=${catalogue}
            state=${address.state}
            change=${address.change}
            go=${address.go}
          />
        `
      }
      ${
        !catalogue &&
        !refusal &&
        html`
          <p class="waiting" role="status">Reading the catalogue …</p>
        `
      }
    </main>
  `;
}

function EmptyStore({ again }) {
  return html`
    <${Notice} title="There is nothing here to look at" action="Look again" act=${again}>
      <p>The store holds no survey yet, or none that your key may see. Import one where the store is:</p>
      <pre>crosswave import --db survey.db answers.sav</pre>
      <p>The server sees it as soon as it is imported; it need not be started again.</p>
    <//>
  `;
}

// The view and the parameters in the address, and how they are changed.
function useAddress() {
  const [address, setAddress] = useState(() => read(location.hash));
  useEffect(() => {
    const moved = () => setAddress(read(location.hash));
    addEventListener("popstate", moved);
    addEventListener("hashchange", moved);
    return () => {
      removeEventListener("popstate", moved);
      removeEventListener("hashchange", moved);
    };
  }, []);
  const move = useCallback((view, patch, replace) => {
    const now = read(location.hash);
    const state = { ...now.state, ...patch };
    const hash = write(view ?? (now.view || views[0].name), state);
    history[replace ? "replaceState" : "pushState"](null, "", hash);
    setAddress(read(hash));
  }, []);
  const change = useCallback((patch, replace = false) => move(undefined, patch, replace), []);
  const go = useCallback((view, patch = {}) => move(view, patch, false), []);
  return { ...address, change, go };
}
