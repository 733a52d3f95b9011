// A dialog over the page. The browser keeps the focus within it, closes it on Escape, and gives the focus back. The
// focus goes to the field to search in where there is one.
import { html, useLayoutEffect, useRef } from "../lib/html.js";

export function Dialog({ title, close, wide, children }) {
  const dialog = useRef();
  const gone = useRef(false);
  // As a layout effect it is closed while it is still on the page, since one that is not gives no focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown.showModal();
    shown.querySelector("input[type=search]")?.focus();
    return () => {
      gone.current = true;
      shown.close();
    };
  }, []);
  // The browser tells of that later, when another dialog may be open in its place.
  const closed = () => gone.current || close();
  const outside = (event) => event.target === dialog.current && close();
  return html`
    <dialog ref=${dialog} class=${wide ? "wide" : ""} aria-label=${title} onClose=${closed} onClick=${outside}>
      <div class="sheet">
        <header>
          <h2>${title}</h2>
          <button class="quiet" aria-label="Close" onClick=${close}>✕</button>
        </header>
        ${children}
      </div>
    </dialog>
  `;
}

// Choices out of a list, with a way to tick all or none. Labels are plain text; notes stand faint behind them.
export function Ticks({ legend, choices, ticked, change, all = true }) {
  const toggle = (code) => change(ticked.includes(code) ? ticked.filter((one) => one !== code) : [...ticked, code]);
  return html`
    <fieldset class="ticks">
      <legend>${legend}</legend>
      ${
        all &&
        html`
          <p>
            <button class="link" onClick=${() => change(choices.map(({ code }) => code))}>All</button>
            <button class="link" onClick=${() => change([])}>None</button>
          </p>
        `
      }
      <div class="choices">
        ${choices.map(
          ({ code, name, note }) => html`
            <label key=${code}>
              <input type="checkbox" checked=${ticked.includes(code)} onChange=${() => toggle(code)} />
              <span>
                ${name}${
                  note &&
                  html`
                    <span class="faint">${note}</span>
                  `
                }
              </span>
            </label>
          `,
        )}
      </div>
    </fieldset>
  `;
}
