// The expression as text, as it is sent to the interface; what is typed there becomes the audience.
import { parsed, said } from "../lib/building.js";
import { html, useEffect, useState } from "../lib/html.js";

export function Text({ expression, set }) {
  const text = JSON.stringify(said(expression) ?? {}, null, 2);
  const [typed, setTyped] = useState(text);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    setTyped(text);
    setWrong("");
  }, [text]);
  const apply = () => {
    try {
      set(parsed(typed));
      setWrong("");
    } catch (error) {
      setWrong(error.message);
    }
  };
  return html`
    <details class="text">
      <summary>As text</summary>
      <p class="faint">The expression, as the interface takes it. Change it here, or paste one.</p>
      <textarea
        aria-label="The expression as text"
        spellcheck="false"
        rows=${Math.min(24, typed.split("\n").length + 1)}
        value=${typed}
        onInput=${(event) => setTyped(event.target.value)}
      ></textarea>
      ${
        wrong &&
        html`
          <p class="warning" role="alert">${wrong}</p>
        `
      }
      <p class="actions"><button disabled=${typed === text} onClick=${apply}>Use this text</button></p>
    </details>
  `;
}
