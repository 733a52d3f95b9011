// Where the page starts. A key in the address is taken out of it before anything else happens.
import { takeKey } from "./lib/session.js";
import { html, render } from "./lib/html.js";
import { App } from "./app.js";

takeKey();
render(
  html`
    <${App} />
  `,
  document.getElementById("page"),
);
