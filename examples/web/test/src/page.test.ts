import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { CrosstabCell } from "../../dist/index.js";
import { program, skip } from "./browser.js";
import { Store } from "./serving.js";

const patience = 180_000; // milliseconds: what takes longer hangs, however slow the machine is

let browser: Browser;
let demo: Store;
let ragged: Store;

before(async () => {
  if (!program) return;
  const flags = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
  ];
  const args = [...flags, "--disable-component-update", "--disable-sync"];
  browser = await chromium.launch({ executablePath: program, args, timeout: patience });
  [demo, ragged] = await Promise.all([Store.demo(), Store.ragged()]);
});

after(async () => {
  await browser?.close();
  await Promise.all([demo?.remove(), ragged?.remove()]);
});

/** A page that is open, the server it asks, and a key for it. */
interface Open {
  page: Page;
  url: string;
  key: string;
}

/** Serves the page and a store, and opens the page; whatever it complains of is an error of the test. */
async function open(store: Store, use: (x: Open) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
  const script = fileURLToPath(new URL("../../page/serve.mjs", import.meta.url));
  const server = spawn(process.execPath, [script, "--port", "0"]);
  const at = await new Promise<string>((resolve) => {
    server.stdout.on("data", (part) => resolve(/http:\S+/.exec(String(part))![0]));
  });
  const key = await store.key();
  const { url, end } = await store.serve("--cors-origin", new URL(at).origin);
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|blocked by CORS/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  try {
    await page.goto(at);
    await use({ page, url, key });
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
    await end();
    server.kill();
  }
}

async function signIn(page: Page, server: string, key: string): Promise<void> {
  await page.fill("#server", server);
  await page.fill("#key", key);
  await page.click("button[type=submit]");
}

/** Waits for the whole of a crosstab. */
async function drawn(page: Page, title: string): Promise<void> {
  await page.waitForFunction((want) => {
    const text = (id: string) => document.getElementById(id)?.textContent ?? "";
    return text("title") === want && text("status").includes("of version");
  }, title);
}

async function choose(page: Page, rows: string, columns: string): Promise<void> {
  await page.selectOption("#rows", { label: rows });
  await page.selectOption("#columns", { label: columns });
  await drawn(page, `${rows} by ${columns}`);
}

/** What a cell shows. */
interface Place {
  share: string;
  marks: string;
  index: string;
  sample: string;
  note: string;
  tone: string;
}

/** What the cells show, by rows. */
async function shown(page: Page): Promise<Place[][]> {
  return page.$$eval("tbody tr", (lines) =>
    lines.map((line) =>
      [...line.querySelectorAll("td")].map((cell) => {
        const text = (selector: string) => cell.querySelector(selector)?.textContent ?? "";
        return {
          share: text(".share .number"),
          marks: text(".marks"),
          index: text(".index .number"),
          sample: text(".sample .number"),
          note: cell.classList.contains("none") ? text(".small") : "",
          tone: ["above", "below"].filter((name) => cell.classList.contains(name)).join(),
        };
      }),
    ),
  );
}

/** The same crosstab, asked of the interface without page or client. */
async function asked(x: Open, rows: object[], columns: object[], scope: object): Promise<CrosstabCell[]> {
  const everyone = { expression: { question: "waves" } };
  const statistics = { compare: ["rest"], correction: "holm" };
  const body = JSON.stringify({ rows, columns: [everyone, ...columns], coverage: true, statistics, ...scope });
  const headers = { Authorization: x.key };
  const response = await fetch(`${x.url}/v2/query/crosstab?stream=false`, { method: "POST", headers, body });
  assert.equal(response.status, 200);
  return ((await response.json()) as { data: CrosstabCell[] }).data;
}

function answers(question: string, ...datapoints: string[]): object[] {
  return datapoints.map((d) => ({ expression: { question, datapoints: [d] } }));
}

/** Holds what is shown against what was answered, and tells how many numbers that were. */
function same(table: Place[][], cells: CrosstabCell[], of: "row" | "column"): number {
  const places = table.flat();
  assert.equal(places.length, cells.length);
  let numbers = 0;
  const holds = (text: string, value: number, digits: number) => {
    assert.equal(text.replaceAll(",", "").replace(/ %$/, ""), value.toFixed(digits));
    numbers++;
  };
  cells.forEach((cell, i) => {
    const place = places[i]!;
    const { row, column } = cell.audiences;
    if (cell.base.sample === 0) {
      assert.equal(place.note, "never asked together");
      return;
    }
    holds(place.share, cell.audiences[of].intersect_percentage, 1);
    if (cell.column_index > 1) holds(place.index, cell.intersect.index, 1);
    const [n, all] = place.sample.split(" of ");
    holds(n!, cell.intersect.sample, 0);
    holds(all!, of === "row" ? column.sample : row.sample, 0);

    const quality = cell.statistics?.[of].intersect_percentage?.quality ?? "withhold";
    assert.equal(place.marks.replace(/[^*]/g, "").length, { ok: 0, caution: 1, withhold: 2 }[quality]);
    assert.equal(place.marks.includes("◐"), cell.coverage?.complete === false);
    const toned = cell.column_index > 1 && quality !== "withhold" && row.size > 0;
    const tone = cell.intersect.index > 100 ? "above" : cell.intersect.index < 100 ? "below" : "";
    assert.equal(place.tone, toned ? tone : "");
    const rest = cell.statistics?.rest;
    const told = place.marks.includes("▲") ? 1 : place.marks.includes("▼") ? -1 : 0;
    if (told !== 0) assert(rest && rest.adjusted_p <= 0.05 && Math.sign(rest.difference) === told);
    else if (rest && rest.adjusted_p <= 0.05) {
      const column = cell.statistics?.row.intersect_percentage?.quality;
      assert(column === "withhold" || row.intersect_percentage === 0, "a difference is not marked");
    }
  });
  return numbers;
}

test("the page shows what the interface answers", { skip }, async () => {
  await open(demo, async (x) => {
    const { page } = x;
    await signIn(page, x.url, x.key);
    await drawn(page, "Age by Gender");
    const rows = answers("core.exercise", ...[1, 2, 3, 4, 5, 6].map((n) => `exercise_${n}`));
    const columns = answers("core.age", ...[1, 2, 3, 4, 5, 6].map((n) => `age_${n}`));
    await choose(page, "Exercise", "Age");
    const cells = await asked(x, rows, columns, {});
    assert(same(await shown(page), cells, "row") >= 150, "numbers of 42 cells");

    await page.selectOption("#shown", { label: "Row %" });
    same(await shown(page), cells, "column");
    await page.selectOption("#shown", { label: "Column %" });
    await page.selectOption("#locations", { index: 1 });
    await drawn(page, "Exercise by Age");
    const location = (await page.inputValue("#locations")).slice(1);
    same(await shown(page), await asked(x, rows, columns, { locations: [location] }), "row");
    await page.selectOption("#waves", { index: 3 });
    await drawn(page, "Exercise by Age");
    const wave = (await page.inputValue("#waves")).slice(1);
    same(await shown(page), await asked(x, rows, columns, { waves: [wave], locations: [location] }), "row");
    const marks = (await shown(page)).flat().map((place) => place.marks.replace(/[^*]/g, ""));
    assert.deepEqual(new Set(marks), new Set(["*", "**"]), "small bases are marked");

    await page.click("#swap");
    await drawn(page, "Age by Exercise");
  });
});

test("a ragged survey is shown with what was never asked together", { skip }, async () => {
  await open(ragged, async (x) => {
    const { page } = x;
    await signIn(page, x.url, x.key);
    await choose(page, "Mood (until spring 2024)", "Shops visited");
    const rows = answers("core.mood_old", "good", "bad");
    const columns = answers("shop.visit", "s1", "s2");
    const table = await shown(page);
    same(table, await asked(x, rows, columns, {}), "row");
    assert.deepEqual(
      table[0]!.map((place) => place.note !== ""),
      [false, true, true],
    );

    await choose(page, "Brands bought", "Use of screens");
    const use = ["tv", "phone"].flatMap((d) =>
      ["1", "2"].map((s) => ({ expression: { question: "core.use", datapoints: [d], suffixes: [s] } })),
    );
    const cells = await asked(x, answers("core.brands", "b1", "b2", "b3"), use, {});
    assert(same(await shown(page), cells, "row") >= 20);
    assert(
      (await shown(page))[2]!.every((place) => place.marks.includes("◐")),
      "the northern brand",
    );

    await ragged.run("wave", "remove", "w1");
    await choose(page, "Brands bought", "Gender");
    assert.match((await page.textContent("#status")) ?? "", /of version 2/);
    assert.deepEqual(await page.$$eval("#waves option", (all) => all.map((o) => o.textContent)), [
      "Last four",
      "All",
      "Autumn 2024",
    ]);
    same(
      await shown(page),
      await asked(x, answers("core.brands", "b1", "b2", "b3"), answers("core.gender", "f", "m"), {}),
      "row",
    );
  });
});

test("the key is nowhere but where it should be", { skip }, async () => {
  await open(demo, async ({ page, url, key }) => {
    const stores = () =>
      page.evaluate(() => [JSON.stringify(sessionStorage), JSON.stringify(localStorage), document.cookie]);
    await signIn(page, url, "wrong");
    await page.waitForFunction(() => document.getElementById("refused")?.textContent);
    assert.match((await page.textContent("#refused")) ?? "", /no valid key/);

    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    await signIn(page, url, key);
    await drawn(page, "Age by Gender");
    assert.deepEqual(await stores(), ["{}", "{}", ""]);
    assert(sent.length > 3 && !sent.concat(page.url()).some((u) => u.includes(key)));
    assert(!(await page.content()).includes(key) && (await page.inputValue("#key")) === "");
    await page.reload();
    assert(await page.isVisible("#enter"), "without the tick the key is forgotten");

    await page.check("#keep");
    await signIn(page, url, key);
    await drawn(page, "Age by Gender");
    await page.reload();
    await drawn(page, "Age by Gender");
    await page.click("#leave");
    assert.deepEqual(await stores(), ["{}", "{}", ""]);
    assert.equal(await page.textContent("#chart"), "");

    await signIn(page, "http://127.0.0.1:1", key);
    await page.waitForFunction(() => document.getElementById("refused")?.textContent?.includes("--cors-origin"));
  });
});

test("the chart is walked with the keyboard", { skip }, async () => {
  await open(demo, async ({ page, url, key }) => {
    await page.focus("#server");
    await page.keyboard.press("Control+a");
    await page.keyboard.type(url);
    await page.keyboard.press("Tab");
    await page.keyboard.type(key);
    await page.keyboard.press("Enter");
    await drawn(page, "Age by Gender");
    await page.focus("#shown");
    await page.keyboard.press("Tab");
    const at = () =>
      page.evaluate(() => {
        const cell = document.activeElement as HTMLTableCellElement;
        return [(cell.parentElement as HTMLTableRowElement).rowIndex, cell.cellIndex];
      });
    assert.deepEqual(await at(), [1, 1]);
    const ways: [string, number[]][] = [
      ["ArrowDown", [2, 1]],
      ["ArrowRight", [2, 2]],
      ["ArrowUp", [1, 2]],
      ["ArrowUp", [1, 2]],
      ["Home", [1, 1]],
      ["ArrowRight", [1, 2]],
    ];
    for (const [name, want] of ways) {
      await page.keyboard.press(name);
      assert.deepEqual(await at(), want, name);
    }
    const place = (await shown(page))[0]![1]!;
    const detail = (await page.textContent("#detail")) ?? "";
    assert(detail.includes("16–24 × Woman") && detail.includes(place.share) && detail.includes(place.index), detail);
  });
});

test("the page fits, and is read in light and in dark", { skip }, async (t) => {
  for (const width of [360, 800, 1400]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await t.test(`${width} px, ${colorScheme}`, async () => {
        const options = { viewport: { width, height: 800 }, colorScheme };
        await open(
          demo,
          async ({ page, url, key }) => {
            const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert(((await overflow()) ?? 0) <= 0, "signing in");
            await signIn(page, url, key);
            await drawn(page, "Age by Gender");
            await choose(page, "Media used", "Age");
            assert((await overflow()) <= 0, "the chart");
            const contrast = await page.evaluate(leastContrast);
            assert(contrast >= 4.5, `a contrast of ${contrast}`);
          },
          options,
        );
      });
    }
  }
});

/** The least contrast of a cell's text with what is behind it, as WCAG 2 measures it. Runs in the page. */
function leastContrast(): number {
  const canvas = document.createElement("canvas").getContext("2d")!;
  const luminance = (color: string) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => {
      const c = byte / 255;
      return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0]! + 0.7152 * parts[1]! + 0.0722 * parts[2]!;
  };
  return Math.min(
    ...[...document.querySelectorAll("td")].map((cell) => {
      const { color, backgroundColor } = getComputedStyle(cell);
      const [dark, light] = [luminance(color), luminance(backgroundColor)].sort((a, b) => a - b);
      return (light! + 0.05) / (dark! + 0.05);
    }),
  );
}

test("page and server may be of one origin", { skip }, async () => {
  const { url, end } = await demo.serve("--base-path", "/api");
  const key = await demo.key();
  const script = fileURLToPath(new URL("../../page/serve.mjs", import.meta.url));
  const server = spawn(process.execPath, [script, "--port", "0", "--api", url]);
  const page = await browser.newPage();
  try {
    const at = await new Promise<string>((resolve) => {
      server.stdout.on("data", (part) => resolve(/http:\S+/.exec(String(part))![0]));
    });
    await page.goto(at);
    await signIn(page, "/api", key);
    await drawn(page, "Age by Gender");
    const other = await fetch(new URL("/package.json", at));
    assert.equal(other.status, 404, "nothing but the page is served");
  } finally {
    await page.close();
    server.kill();
    await end();
  }
});
