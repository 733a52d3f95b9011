import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client, CrosswaveError } from "../../dist/index.js";
import type { Audience, StatisticsOptions } from "../../dist/index.js";
import { Store } from "./serving.js";

let store: Store;
let url: string;
let end: () => Promise<void>;
let key: string;

before(async () => {
  store = await Store.ragged();
  ({ url, end } = await store.serve("--base-path", "/api"));
  key = await store.key();
});

after(async () => {
  await end();
  await store.remove();
});

const women: Audience = { id: "women", name: "Women", expression: { question: "gender", datapoints: ["f"] } };
const men: Audience = { id: "men", name: "Men", expression: { question: "gender", datapoints: ["m"] } };
const young: Audience = { id: "young", expression: { question: "age", datapoints: ["young"] } };
const northern: Audience = { id: "b3", expression: { question: "brands", datapoints: ["b3"] } };
const sure: StatisticsOptions = { level: 90, correction: "holm", pairs: true, low_base: { withhold: 1, caution: 2 } };

/** A request as it was sent, and the body that answered it. */
interface Exchange {
  method: string;
  path: string;
  sent: string | null;
  body: string;
}

/** A client that notes its exchanges. */
function listening(exchanges: Exchange[], options = {}): Client {
  const noting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const path = String(input).slice(url.length);
    const sent = (init?.body as string | null) ?? null;
    exchanges.push({ method: init?.method ?? "GET", path, sent, body: await response.clone().text() });
    return response;
  };
  return new Client({ url: url + "/", key, fetch: noting, ...options });
}

/** The same request without the client. */
async function raw(x: Exchange): Promise<string> {
  const response = await fetch(url + x.path, { method: x.method, headers: { Authorization: key }, body: x.sent });
  assert.equal(response.status, 200, `${x.method} ${x.path}`);
  return response.text();
}

async function all<T>(cells: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const cell of cells) list.push(cell);
  return list;
}

/** What the client makes of each endpoint; members that it takes out of an answer are put back. */
const asked: Record<string, (c: Client) => Promise<unknown>> = {
  me: (c) => c.me(),
  crosstab: (c) => c.crosstabDocument({ rows: [women, northern], columns: [young, men], coverage: true, echo: false }),
  "crosstab of waves": (c) => {
    const columns = ["w1", "w2"].map((w) => ({ id: w, expression: { question: "waves", datapoints: [w] } }));
    return c.crosstabDocument({
      rows: [women, northern],
      columns,
      coverage: true,
      matched: true,
      statistics: { ...sure, compare: ["rest", "columns", "previous"] },
    });
  },
  intersection: (c) =>
    c.intersection({
      audiences: { row: women, column: young },
      coverage: true,
      statistics: { ...sure, compare: ["rest"] },
    }),
  "intersection across namespaces": (c) =>
    c.intersection({
      audiences: { row: women, column: { expression: { question: "shop.visit" } } },
      locations: ["east"],
    }),
  stats: (c) =>
    c.stats({
      question: "brands",
      splitter: "waves",
      audiences: [women, men],
      coverage: true,
      statistics: { ...sure, compare: ["rest", "audiences", "segments", "previous"] },
    }),
  "stats of a grid": (c) => c.stats({ question: "use", suffixes: [1, "2"], base_audience: women }),
  summary: (c) =>
    c.summary({
      question: "use",
      datapoints: ["phone"],
      quantiles: [2.5, 50],
      splitter: "locations",
      audiences: [women, men],
      coverage: true,
      statistics: { ...sure, compare: ["rest", "audiences", "segments", "previous"] },
    }),
  profile: (c) => c.profile({ audience: women, min_sample: 1, false_discovery: 50, coverage: true, order_by: "index" }),
  association: (c) =>
    c.association({
      rows: { question: "gender" },
      columns: { question: "use", datapoints: ["phone"] },
      coverage: true,
    }),
  waveCounts: (c) => c.waveCounts({ expression: northern.expression ?? null, coverage: true, matched: true }),
  trend: (c) => c.trend({ question: "gender", datapoints: ["f"] }, { coverage: true, matched: true, statistics: 95 }),
  questions: async (c) => ({
    questions: await c.questions({ include: { categories: true, datapoints: true, taxonomy_paths: true } }),
  }),
  "questions, briefly": async (c) => ({ questions: await c.questions({ questions: [{ namespace_code: "shop" }] }) }),
  found: (c) => c.find("use media week tele", { limit: 5 }),
  "found, the second page of all": (c) => c.find("", { offset: 3, include: { datapoints: true } }),
  locations: async (c) => ({ locations: await c.locations({ include: { regions: true }, waves: [{ code: "w2" }] }) }),
  waves: async (c) => ({ waves: await c.waves({ locations: [{ code: "east" }] }) }),
  namespaces: async (c) => ({ namespaces: await c.namespaces() }),
  categories: async (c) => ({ categories: await c.categories(["23"]) }),
  datasets: async (c) => ({ datasets: await c.datasets(["whole"]) }),
  insights: (c) =>
    c.insights({ filters: { types: ["report", "chart"] }, limit: 2, order_by: "popularity", order: "desc" }),
  insight: (c) => c.insight(1),
  explore: (c) => c.explore("screens"),
  health: (c) => c.health(),
  ready: (c) => c.ready(),
  openapi: (c) => c.openapi(),
};

test("every endpoint of the document is asked, and nothing of an answer is lost", async (t) => {
  const exchanges: Exchange[] = [];
  const client = listening(exchanges);
  for (const [name, ask] of Object.entries(asked)) {
    await t.test(name, async () => {
      const answer = await ask(client);
      const x = exchanges.at(-1);
      assert(x);
      const want: unknown = JSON.parse(await raw(x));
      if (x.path === "/v1/me") assert.equal((want as { data_version: number }).data_version, client.seenVersion);
      assert.deepEqual(answer, want);
    });
  }
  await t.test("docs", async () => {
    const page = await client.docs();
    assert.equal(page, await raw(exchanges.at(-1)!));
    assert.match(page, /^<!doctype html>/i);
  });
  await t.test("crosstab, as a stream", () => streamed(client, exchanges));
  await t.test("saved audiences", () => saved(client, exchanges));
  await t.test("derived questions", () => derived(client, exchanges));

  const document = (await client.openapi()) as unknown as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const missed = new Set<string>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId }] of Object.entries(methods)) {
      const form = new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/?]+")}(\\?|$)`);
      if (!exchanges.some((x) => x.method === method.toUpperCase() && form.test(x.path))) missed.add(operationId);
    }
  }
  assert.deepEqual([...missed], [], "these operations are not asked");
});

/** The cells are the lines of the stream, to the last digit. */
async function streamed(client: Client, exchanges: Exchange[]): Promise<void> {
  const request = { rows: [women, northern], columns: [young, men], coverage: true, statistics: { ...sure } };
  const cells = await all(client.crosstab(request));
  const x = exchanges.at(-1);
  assert(x);
  const lines = (await raw(x)).trimEnd().split("\n");
  assert.equal(lines.length, 4);
  assert.deepEqual(
    cells.map((cell) => JSON.stringify(cell)),
    lines,
  );
  const northernOnly = cells.find((cell) => cell.row_index === 2);
  assert.deepEqual(northernOnly?.coverage?.locations, ["north"], "what is asked in the north alone is measured there");
}

/** Each call's answer is what was sent, as changes can't be asked for twice. */
async function saved(client: Client, exchanges: Exchange[]): Promise<void> {
  let tag: string | null = null;
  const onHeaders = (headers: Headers) => (tag = headers.get("ETag"));
  const same = (answer: unknown) => assert.deepEqual(answer, JSON.parse(exchanges.at(-1)!.body));

  const expression = {
    and: [
      { question: "use", datapoints: ["tv"], suffixes: ["1"] },
      { question: "gender", not: true },
    ],
  };
  const made = await client.save({ name: "Not women", expression, flags: ["authored"], position: 1.5 }, { onHeaders });
  same(made);
  assert.equal(made.expression.and?.[0]?.suffixes?.[0], 1);
  const first = tag;
  assert(first);
  const changed = await client.changeSaved(made.id, { shared: true }, { ifMatch: first, onHeaders });
  same(changed);
  assert.notEqual(tag, first);
  const read = await client.saved(made.id);
  same(read);
  assert.deepEqual(read, JSON.parse(await raw(exchanges.at(-1)!)));
  const list = await client.listSaved({ flags: ["authored", "curated"] });
  assert.deepEqual({ meta: { total: 1 }, data: list }, JSON.parse(exchanges.at(-1)!.body));
  assert.deepEqual(list, [read]);
  assert.deepEqual(await client.listSaved({ folder_id: made.id }), []);
  assert.deepEqual(await client.listSaved({ flags: ["isP2"] }), []);
  await assert.rejects(client.deleteSaved(made.id, { ifMatch: first }), { status: 412, type: "precondition_failed" });
  await client.deleteSaved(made.id, { ifMatch: tag! });
  await assert.rejects(client.saved(made.id), { status: 404, type: "not_found" });
}

/** Each call's answer is what was sent, as changes can't be asked for twice. */
async function derived(client: Client, exchanges: Exchange[]): Promise<void> {
  let tag: string | null = null;
  const onHeaders = (headers: Headers) => (tag = headers.get("ETag"));
  const same = (answer: unknown) => assert.deepEqual(answer, JSON.parse(exchanges.at(-1)!.body));

  const daily = { question: "use", datapoints: ["tv"], suffixes: ["1"] };
  const datapoints = [
    { code: "daily", name: "Every day", expression: daily },
    { code: "less", expression: { ...daily, not: true } },
  ];
  const made = await client.derive({ code: "screens", datapoints }, { onHeaders });
  same(made);
  assert.equal(made.datapoints[0]?.expression.suffixes?.[0], 1);
  const first = tag;
  assert(first);
  same(await client.changeDerived("screens", { name: "Screens", shared: true }, { ifMatch: first, onHeaders }));
  assert.notEqual(tag, first);
  const read = await client.derived("screens");
  same(read);
  assert.deepEqual(await client.listDerived({ limit: 1 }), [read]);
  assert.deepEqual(await client.listDerived({ offset: 1 }), []);
  const trend = await client.waveCounts({ expression: { question: "screens", datapoints: ["daily"] } });
  assert.deepEqual(trend, await client.waveCounts({ expression: daily }));
  await assert.rejects(client.deleteDerived("screens", { ifMatch: first }), { status: 412, type: "precondition_failed" });
  await client.deleteDerived("screens", { ifMatch: tag! });
  await assert.rejects(client.derived("screens"), { status: 404, type: "not_found" });
}

test("records that have not changed do not come again", async () => {
  const exchanges: Exchange[] = [];
  const client = listening(exchanges);
  const first = await client.questions();
  first[0]!.name = "spoilt";
  const again = await client.questions();
  assert.equal(exchanges[1]?.body, "", "the second answer is empty");
  assert.deepEqual({ questions: again }, JSON.parse(exchanges[0]!.body));

  const forgetful = listening(exchanges, { kept: 1 });
  for (const ask of [() => forgetful.waves(), () => forgetful.locations(), () => forgetful.waves()]) await ask();
  assert.notEqual(exchanges.at(-1)?.body, "", "one answer is kept, and not two");
});

test("errors come with all that the server says", async (t) => {
  const north = await store.key("--locations", "north", "--user", "2");
  const client = new Client({ url, key: north });
  const cases: Record<string, [() => Promise<unknown>, object]> = {
    query: [
      () => client.stats({ question: "gender", suffixes: [1] }),
      {
        name: "CrosswaveError",
        status: 400,
        type: "invalid_query",
        path: "suffixes",
        reason: 'suffixes: question "gender" is no grid and has no suffixes: leave them out',
        customerMessage: "The request is not valid.",
        forbidden: undefined,
        retryAfter: undefined,
      },
    ],
    "deep in a query": [
      () => all(client.crosstab({ rows: [women, { expression: { and: [{ question: "gender", min_count: -1 }] } }] })),
      { status: 400, path: "rows[1].expression.and[0].min_count" },
    ],
    "forbidden, in a stream": [
      () => all(client.crosstab({ rows: [women], locations: ["north", "south"] })),
      {
        status: 403,
        type: "forbidden",
        path: undefined,
        forbidden: { questions: [], locations: ["south"], waves: [] },
      },
    ],
    record: [
      () => client.saved("none"),
      {
        status: 404,
        type: "not_found",
        path: undefined,
        reason: "saved audience none: not found",
        customerMessage: "",
      },
    ],
    insight: [() => client.explore("none"), { status: 404, type: "not_found" }],
    "a version that is gone": [
      () => client.me({ dataVersion: 7 }),
      {
        status: 412,
        type: "precondition_failed",
        reason: "If-Data-Version: the survey is of version 1 now, and no longer of 7",
      },
    ],
    "no key": [() => new Client({ url, key: "" }).me(), { status: 401, type: "unauthorized" }],
    "no such path": [() => new Client({ url: url + "/no", key }).me(), { status: 404, type: "not_found" }],
  };
  for (const [name, [ask, want]] of Object.entries(cases)) {
    await t.test(name, async () => {
      const error = await ask().then(
        () => assert.fail("it is answered"),
        (e: unknown) => e,
      );
      assert(error instanceof CrosswaveError && error instanceof Error, String(error));
      const told = error as unknown as Record<string, unknown>;
      assert.deepEqual(Object.fromEntries(Object.keys(want).map((k) => [k, told[k]])), want);
      assert.match(error.message, new RegExp(`^${error.status} ${error.type}: .`));
      assert.equal(typeof error.body, "object");
      assert.match(error.requestId ?? "", /^[0-9a-f]{16}$/);
      assert(!error.message.includes("(request ")); // whose cause is no secret
    });
  }
});

test("a version that still holds is answered from", async () => {
  const client = new Client({ url, key, dataVersion: 1 });
  assert.equal((await client.me()).data_version, 1);
  assert.equal(client.seenVersion, 1);
});

test("where the server asks to wait, the client waits", async () => {
  const limited = await store.serve("--rate", "2");
  try {
    const client = new Client({ url: limited.url, key, attempts: 5 });
    const began = performance.now();
    await Promise.all([1, 2, 3, 4].map(() => client.me()));
    assert(performance.now() - began > 900, "four requests at two a second are answered at once");
    const hasty = new Client({ url: limited.url, key, attempts: 1 });
    await assert.rejects(Promise.all(Array.from({ length: 60 }, () => hasty.me())), {
      status: 429,
      type: "rate_limited",
      retryAfter: 1,
    });
  } finally {
    await limited.end();
  }
});
