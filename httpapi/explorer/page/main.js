// Where the page starts. A key in the address is taken out of it before anything else happens; what there is to ask for
// is asked before anything is drawn, so that the one does not wait for the other.
import { key, takeKey } from "./lib/session.js";
import { beginCatalogue } from "./lib/catalogue.js";
import { html, render } from "./lib/html.js";
import { App } from "./app.js";

takeKey();
if (key() !== "") beginCatalogue();
render(
  html`
    <${App} />
  `,
  document.getElementById("page"),
);
