// A dialog over the page. The browser keeps the focus within it, closes it on Escape, and gives the focus back.
import { html, useEffect, useRef } from "../lib/html.js";

export function Dialog({ title, close, wide, children }) {
  const dialog = useRef();
  useEffect(() => {
    dialog.current.showModal();
    return () => dialog.current?.close();
  }, []);
  const outside = (event) => event.target === dialog.current && close();
  return html`
    <dialog ref=${dialog} class=${wide ? "wide" : ""} aria-label=${title} onClose=${close} onClick=${outside}>
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
