import { Client, CrosswaveError } from "../../dist/index.js";
import type { Audience, CrosstabCell, Me } from "../../dist/index.js";
import { everyone, read } from "./axis.js";
import type { Axis, Catalogue } from "./axis.js";
import { Chart } from "./chart.js";
import { tell } from "./detail.js";
import type { Shown } from "./words.js";

/** More cells than this are no chart. */
const mostCells = 5000;

/** An element of the page. */
function its<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

const choices = ["rows", "columns", "waves", "locations"].map((id) => its<HTMLSelectElement>(id));
const [rows, columns, waves, locations] = choices as [
  HTMLSelectElement,
  HTMLSelectElement,
  HTMLSelectElement,
  HTMLSelectElement,
];
const shown = its<HTMLSelectElement>("shown");

/** Who is signed in, with what they may ask for; the key is nowhere else, unless the tab is to keep it. */
interface Session {
  client: Client;
  server: string;
  catalogue: Catalogue;
}

let session: Session | undefined;
let chart: Chart | undefined;
let underWay = new AbortController();

async function signIn(server: string, key: string, keep: boolean): Promise<void> {
  its("refused").textContent = "";
  try {
    const client = new Client({ url: server, key });
    const me = await client.me();
    session = { client, server, catalogue: await read(client) };
    if (keep) sessionStorage.setItem("crosswave", JSON.stringify({ server, key }));
    greet(me);
    offer(session.catalogue);
  } catch (error) {
    signOut();
    its("refused").textContent = inWords(error, server);
    return;
  }
  await cross();
}

function greet(me: Me): void {
  its("user").textContent = `User ${me.user_id}${me.everything ? "" : ", with a part of the survey"}`;
  its<HTMLInputElement>("key").value = "";
  its("who").hidden = its("asked").hidden = false;
  its("enter").hidden = true;
}

function signOut(): void {
  underWay.abort();
  session = chart = undefined;
  sessionStorage.removeItem("crosswave");
  for (const id of ["chart", "detail", "title", "status", ...choices.map((c) => c.id)]) its(id).replaceChildren();
  its("who").hidden = its("asked").hidden = its("detail").hidden = its("legend").hidden = true;
  its("enter").hidden = false;
}

/** Fills the lists; what was chosen before stays so if it is still there. */
function offer(catalogue: Catalogue): void {
  const before = choices.map((c) => c.value);
  const groups = new Map<string, Axis[]>();
  for (const axis of catalogue.axes) groups.set(axis.group, [...(groups.get(axis.group) ?? []), axis]);
  for (const list of [rows, columns]) {
    list.replaceChildren();
    for (const [name, axes] of groups) {
      const group = document.createElement("optgroup");
      group.label = name;
      group.append(...axes.map((axis) => new Option(axis.name, axis.id)));
      list.append(group);
    }
  }
  const named = (records: { code: string; name: string }[]) => records.map((r) => new Option(r.name, "=" + r.code));
  waves.replaceChildren(new Option("Last four", ""), new Option("All", "*"), ...named(catalogue.waves));
  locations.replaceChildren(new Option("All", ""), ...named(catalogue.locations));
  columns.selectedIndex = 0;
  rows.selectedIndex = Math.min(1, rows.length - 1);
  choices.forEach((list, i) => {
    if ([...list.options].some((option) => option.value === before[i] && before[i])) list.value = before[i]!;
  });
}

/** Asks for the crosstab that is chosen. What is still under way is ended. */
async function cross(): Promise<void> {
  underWay.abort();
  underWay = new AbortController();
  const { signal } = underWay;
  if (!session) return;
  const { client, server, catalogue } = session;
  its("refused").textContent = "";
  its("detail").hidden = true;
  try {
    const across = catalogue.axes.find((axis) => axis.id === columns.value);
    const down = catalogue.axes.find((axis) => axis.id === rows.value);
    if (across && down) await draw(client, down, across, catalogue, signal);
    else its("status").textContent = "The key opens no question.";
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof CrosswaveError && error.type === "precondition_failed") return reread(signal);
    its("status").textContent = "";
    its("refused").textContent = inWords(error, server);
  }
}

/** The survey has moved on: its lists are read again, and what is chosen is asked of the new version. */
async function reread(signal: AbortSignal): Promise<void> {
  if (!session) return;
  const { client, server } = session;
  let catalogue: Catalogue;
  try {
    catalogue = await read(client);
  } catch (error) {
    its("refused").textContent = inWords(error, server);
    return;
  }
  if (signal.aborted) return; // what was chosen meanwhile finds out by itself
  session.catalogue = catalogue;
  offer(catalogue);
  await cross();
}

async function draw(
  client: Client,
  down: Axis,
  across: Axis,
  catalogue: Catalogue,
  signal: AbortSignal,
): Promise<void> {
  const request = { rows: down.audiences, columns: [everyone, ...across.audiences] };
  const all = request.rows.length * request.columns.length;
  its("title").textContent = `${down.name} by ${across.name}`;
  its("legend").hidden = all > mostCells;
  if (all > mostCells) {
    its("chart").replaceChildren();
    its("status").textContent = `${all} cells are too many for a chart: choose another question.`;
    return;
  }
  const choose = (cell: CrosstabCell) => {
    const name = (list: Audience[], index: number) => list[index - 1]?.name ?? "";
    tell(its("detail"), name(request.rows, cell.row_index), name(request.columns, cell.column_index), cell);
  };
  its("status").textContent = `0 of ${all} cells`;
  chart = new Chart(its("chart"), request.rows, request.columns, shown.value as Shown, choose);
  const options = { signal, ...(catalogue.version === undefined ? {} : { dataVersion: catalogue.version }) };
  const statistics = { compare: ["rest" as const], correction: "holm" as const };
  let there = 0;
  for await (const cell of client.crosstab(
    { ...request, ...scope(catalogue), coverage: true, echo: false, statistics },
    options,
  )) {
    chart.fill(cell);
    its("status").textContent = `${++there} of ${all} cells`;
  }
  its("status").textContent =
    `${all} cells, of version ${client.seenVersion} of the survey. Choose a cell to read all of it.`;
}

/** The waves and locations that are chosen; where none are named, the server's rule holds. */
function scope(catalogue: Catalogue): { waves?: string[]; locations?: string[] } {
  const list: { waves?: string[]; locations?: string[] } = {};
  if (waves.value === "*") list.waves = catalogue.waves.map((w) => w.code);
  else if (waves.value) list.waves = [waves.value.slice(1)];
  if (locations.value) list.locations = [locations.value.slice(1)];
  return list;
}

function inWords(error: unknown, server: string): string {
  if (error instanceof CrosswaveError) return error.customerMessage || error.reason || error.message;
  if (error instanceof TypeError) {
    return `No answer from ${server}. Is it there, and may this page ask it (serve --cors-origin ${location.origin})?`;
  }
  return error instanceof Error ? error.message : String(error);
}

its<HTMLFormElement>("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  const value = (id: string) => its<HTMLInputElement>(id).value.trim();
  void signIn(value("server"), value("key"), its<HTMLInputElement>("keep").checked);
});
its("leave").addEventListener("click", signOut);
its("swap").addEventListener("click", () => {
  [rows.value, columns.value] = [columns.value, rows.value];
  void cross();
});
for (const list of choices) list.addEventListener("change", () => void cross());
shown.addEventListener("change", () => chart?.show(shown.value as Shown));

const kept = sessionStorage.getItem("crosswave");
if (kept) {
  const { server, key } = JSON.parse(kept) as { server: string; key: string };
  its<HTMLInputElement>("server").value = server;
  void signIn(server, key, true);
}
