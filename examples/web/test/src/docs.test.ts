import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { program, skip } from "./browser.js";
import { Store } from "./serving.js";

// The page /docs of the service itself, in a browser.

let browser: Browser;
let ragged: Store;
let service: { url: string; end: () => Promise<void> };
let key: string;

before(async () => {
  if (!program) return;
  const args = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
  browser = await chromium.launch({ executablePath: program, args });
  ragged = await Store.ragged();
  key = await ragged.key();
  service = await ragged.serve("--base-path", "/api");
});

after(async () => {
  await browser?.close();
  await service?.end();
  await ragged?.remove();
});

/** Opens the page; whatever the browser complains of is an error of the test. */
async function open(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  try {
    await page.goto(`${service.url}/docs`);
    await use(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** Sends what the form of an endpoint has, and gives the status line and the answer as they are shown. */
async function send(page: Page, operation: string): Promise<{ status: string; answer: string }> {
  const section = page.locator(`section#${operation}`);
  await section.getByRole("button", { name: "Send" }).click();
  const status = section.getByRole("status");
  await page.waitForFunction((e) => / ms$/.test(e!.textContent!), await status.elementHandle());
  return { status: await status.innerText(), answer: (await section.locator(".answer").textContent()) ?? "" };
}

/** What the service answers to anyone else. */
async function asked(path: string, body?: string): Promise<string> {
  const headers: Record<string, string> = { Authorization: key };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(service.url + path, { headers, ...(body === undefined ? {} : { method: "POST", body }) });
  return response.text();
}

test("each endpoint can be tried with one's key", { skip }, async () => {
  await open({}, async (page) => {
    const operations = await page.locator("section.operation").count();
    assert.equal(await page.getByRole("button", { name: /^Try it: / }).count(), operations);

    await page.locator("section#me").getByRole("button", { name: /^Try it/ }).click();
    let got = await send(page, "me");
    assert.match(got.status, /^401, application\/json, /);

    await page.fill("#key", key);
    got = await send(page, "me");
    assert.match(got.status, /^200, application\/json, /);
    assert.deepEqual(JSON.parse(got.answer), JSON.parse(await asked("/v1/me")));

    const crosstab = page.locator("section#crosstab");
    await crosstab.getByRole("button", { name: /^Try it/ }).click();
    const body = JSON.stringify({ rows: [{ expression: { question: "gender", datapoints: ["f"] } }] });
    await crosstab.locator("textarea").fill(body);
    got = await send(page, "crosstab");
    assert.match(got.status, /^200, application\/x-ndjson, /);
    assert.deepEqual(JSON.parse(got.answer), JSON.parse(await asked("/v2/query/crosstab", body)));

    await crosstab.locator("textarea").fill("{");
    got = await send(page, "crosstab");
    assert.match(got.status, /^400, /);

    await page.reload(); // the key stays in this tab, and comes up nowhere else
    assert.equal(await page.inputValue("#key"), key);
    assert.ok(!page.url().includes(key));
    const other = await page.context().newPage();
    await other.goto(`${service.url}/docs`);
    assert.equal(await other.inputValue("#key"), "");
  });
});

test("what is stopped says so, and so does a service that is away", { skip }, async () => {
  await open({}, async (page) => {
    const section = page.locator("section#me");
    await section.getByRole("button", { name: /^Try it/ }).click();
    await page.route("**/v1/me", () => undefined); // for ever
    await section.getByRole("button", { name: "Send" }).click();
    await section.getByRole("button", { name: "Stop" }).click();
    await section.getByText("Stopped.").waitFor();
    await page.unroute("**/v1/me");
    await page.route("**/v1/me", (route) => route.abort());
    await section.getByRole("button", { name: "Send" }).click();
    await section.getByText("There is no answer: ").waitFor();
  });
});

test("a phone shows the text first, and nothing is wider than it", { skip }, async () => {
  await open({ viewport: { width: 360, height: 640 } }, async (page) => {
    const top = (selector: string) => page.locator(selector).first().evaluate((e) => e.getBoundingClientRect().top);
    assert.ok((await top("h1")) < 100, "the title stands at the top");
    assert.ok((await top("h1 ~ p:not(.narrow)")) < 640, "and text below it");
    assert.ok((await top("nav")) > 10_000, "the contents come after the text");
    await page.locator("section#crosstab").getByRole("button", { name: /^Try it/ }).click();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `the page is ${wide} pixels wide`);
    await page.getByRole("link", { name: "Contents" }).click();
    assert.ok(Math.abs(await top("nav")) < 640);
  });
});
