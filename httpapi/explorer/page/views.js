// The views, in the order of the tabs. To add one: write it in a file of views/, list it here, and name its style sheet
// in main.css. A view is an object:
//
//   name       what stands in the address: "table"
//   title      what stands on its tab: "Table"
//   component  what is rendered, with these properties:
//     catalogue  what there is to ask for (lib/catalogue.js)
//     state      the parameters of the address (lib/address.js). All views share them: base (an expression), waves
//                and locations (lists of codes) mean the same in each, as do audience, the expression of whom is looked
//                at, called, their name, and saved and version, the id and the entity tag of the saved audience that it
//                was opened as; a parameter of one view has a name that no other uses
//     change     change({measures: ["index"]}) writes parameters into the address; undefined takes one out of it. With
//                a second argument of true it does so without a step in the browser's history
//     go         go("table", {rows: ["core.gender"]}) does the same and opens another view
//
// A view keeps nothing that matters outside the address, asks the interface through useAnswer (parts/answer.js), which
// keeps what was there on screen until the new answer comes and asks again when a server was away, and writes figures
// by lib/figures.js. What useAnswer gives as a refusal is shown by refusalNotice (parts/notice.js).
import { audience } from "./views/audience.js";
import { chart } from "./views/chart.js";
import { find } from "./views/find.js";
import { profile } from "./views/profile.js";
import { table } from "./views/table.js";
import { trend } from "./views/trend.js";

export const views = [find, table, chart, audience, profile, trend];
