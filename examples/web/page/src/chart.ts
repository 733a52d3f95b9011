import type { Audience, CrosstabCell } from "../../dist/index.js";
import { count, decimal, lean, marks, quality, sureness } from "./words.js";
import type { Shown } from "./words.js";

/** A table whose cells are filled as they come, and walked with the arrow keys. */
export class Chart {
  readonly #cells: HTMLTableCellElement[][] = [];
  readonly #figures = new Map<HTMLTableCellElement, CrosstabCell>();
  readonly #choose: (cell: CrosstabCell) => void;
  #shown: Shown;

  constructor(
    place: HTMLElement,
    rows: Audience[],
    columns: Audience[],
    shown: Shown,
    choose: (cell: CrosstabCell) => void,
  ) {
    this.#choose = choose;
    this.#shown = shown;
    const table = document.createElement("table");
    table.setAttribute("role", "grid");
    table.setAttribute("aria-labelledby", "title");
    const head = table.createTHead().insertRow();
    for (const name of ["", ...columns.map((c) => c.name ?? "")]) head.append(heading("col", name));
    const body = table.createTBody();
    for (const row of rows) {
      const line = body.insertRow();
      line.append(heading("row", row.name ?? ""));
      this.#cells.push(columns.map(() => line.insertCell()));
    }
    table.addEventListener("keydown", (event) => this.#walk(event));
    table.addEventListener("focusin", (event) => this.#enter(event.target));
    place.replaceChildren(table);
    const first = this.#cells[0]?.[0];
    if (first) first.tabIndex = 0;
  }

  /** Puts the figures of a cell into its place. */
  fill(cell: CrosstabCell): void {
    const place = this.#cells[cell.row_index - 1]?.[cell.column_index - 1];
    if (!place) return;
    this.#figures.set(place, cell);
    if (place.tabIndex !== 0) place.tabIndex = -1;
    this.#draw(place, cell);
  }

  /** Shows the other share. */
  show(shown: Shown): void {
    this.#shown = shown;
    for (const [place, cell] of this.#figures) this.#draw(place, cell);
  }

  #draw(place: HTMLTableCellElement, cell: CrosstabCell): void {
    place.className = "";
    if (cell.base.sample === 0) {
      place.classList.add("none");
      place.replaceChildren(text("span", "share", "–"), text("span", "small", "never asked together"));
      return;
    }
    const { index, sample } = cell.intersect;
    const against = cell.column_index > 1; // the first column is everyone
    const withheld = quality(cell, this.#shown) === "withhold";
    const meant = against && !withheld && cell.audiences.row.size > 0; // where the row is nobody an index is 0
    const leaning = meant ? lean(index) : 0;
    if (withheld) place.classList.add("withheld");
    if (leaning !== 0) place.classList.add(leaning > 0 ? "above" : "below");
    place.style.setProperty("--tint", `calc(var(--most) * ${Math.abs(leaning).toFixed(3)})`);

    const of = cell.audiences[this.#shown === "row" ? "column" : "row"].sample;
    const share = text("span", "share", "");
    share.append(text("span", "number", `${decimal(cell.audiences[this.#shown].intersect_percentage)} %`));
    const signs = text("span", "marks", "");
    for (const { sign, words } of marks(cell, this.#shown)) {
      const mark = text("span", "", sign);
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", words);
      mark.title = words;
      signs.append(mark);
    }
    share.append(signs);
    const small = text("span", "small", "");
    if (against) small.append(labelled("index", "Index ", decimal(index)));
    small.append(labelled("sample", "n ", `${count(sample)} of ${count(of)}`));
    place.replaceChildren(share, this.#bar(cell), small);
  }

  /** A bar as long as the share, with a line from one end of its interval to the other. */
  #bar(cell: CrosstabCell): SVGElement {
    const bar = svg("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
    const share = cell.audiences[this.#shown].intersect_percentage;
    bar.append(svg("rect", { class: "all", width: 100, height: 10 }));
    bar.append(svg("rect", { class: "part", width: share, height: 10 }));
    const interval = sureness(cell, this.#shown);
    if (interval) bar.append(svg("line", { class: "interval", x1: interval.low, x2: interval.high, y1: 5, y2: 5 }));
    return bar;
  }

  /** Makes a cell the one that the tab key comes back to, and tells of it. */
  #enter(target: EventTarget | null): void {
    if (!(target instanceof HTMLTableCellElement)) return;
    for (const cell of this.#cells.flat()) {
      if (cell.tabIndex === 0) cell.tabIndex = -1;
      cell.classList.toggle("chosen", cell === target);
    }
    target.tabIndex = 0;
    const figures = this.#figures.get(target);
    if (figures) this.#choose(figures);
  }

  #walk(event: KeyboardEvent): void {
    const row = this.#cells.findIndex((line) => line.some((cell) => cell === event.target));
    const column = this.#cells[row]?.findIndex((cell) => cell === event.target) ?? -1;
    if (row < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.#cells[row]!.length - 1;
    const ways: Record<string, [number, number]> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, last],
    };
    const [toRow, toColumn] = ways[event.key] ?? [-1, -1];
    const next = this.#cells[toRow]?.[toColumn];
    if (!ways[event.key]) return;
    event.preventDefault();
    next?.focus();
    next?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

function heading(scope: string, name: string): HTMLTableCellElement {
  const cell = document.createElement("th");
  cell.scope = scope;
  cell.textContent = name;
  return cell;
}

function text(tag: string, className: string, content: string): HTMLElement {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.textContent = content;
  return element;
}

function labelled(className: string, label: string, figure: string): HTMLElement {
  const element = text("span", className, label);
  element.append(text("span", "number", figure));
  return element;
}

function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
