import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";

import { type Document, type Schemas, Walk } from "./walk.js";

const server = process.env.CROSSWAVE_URL, key = process.env.CROSSWAVE_KEY;
assert.ok(server && key, "there is no server: .ci/clients/run starts one");

/** An audience of those who gave an answer. */
const audience = (id: string, question: string, ...datapoints: string[]): Schemas["Audience"] & object =>
  ({ id, expression: { question, datapoints } });

const women = audience("women", "gender", "f"), men = audience("men", "gender", "m"), young = audience("young", "age", "young");

/** All there is about how sure figures are. */
const surely = (...compare: NonNullable<Schemas["StatisticsOptions"]["compare"]>): Schemas["StatisticsOptions"] =>
  ({ compare, pairs: true, low_base: { withhold: 1, caution: 1 } });

test("every endpoint is asked, and nothing of any answer is lost", async () => {
  const w = new Walk(server, key, await (await fetch(`${server}/openapi.json`)).json() as Document);
  await service(w);
  await crosstabs(w);
  await streams(w);
  await statistics(w);
  await catalogue(w);
  await insights(w);
  await saved(w);
  await derived(w);
  await errors(w);
  assert.deepEqual(w.missing(), []);
  assert.ok(w.long >= 100, `only ${w.long} numbers had more digits than 32 bits hold`);
  writeFileSync("build/answers.ts", w.program);
});

/** The service itself. */
async function service(w: Walk) {
  w.same(await w.client.GET("/healthz"));
  w.same(await w.client.GET("/readyz"));
  const { data } = await w.client.GET("/openapi.json");
  assert.deepEqual(data, w.document);
  const page = await w.client.GET("/docs", { parseAs: "text" });
  assert.equal(page.data, w.curl());
  const me = w.same(await w.client.GET("/v1/me"));
  assert.equal(me.quotas.requests, null);
}

async function crosstabs(w: Walk) {
  const body = {
    rows: [women, audience("b3", "brands", "b3")], columns: [young, men], coverage: true, statistics: surely("rest", "previous", "columns"),
  };
  const table = w.same(await w.client.POST("/v2/query/crosstab", { params: { query: { stream: false } }, body }));
  assert.equal(table.data.length, table.meta.cells);
  assert.equal(table.data[0]?.row?.id, "women");
  const bare = w.same(await w.client.POST("/v2/query/crosstab", { params: { query: { stream: false } }, body: { ...body, echo: false } }));
  assert.equal(bare.data[0]?.row, undefined);

  const cell = w.same(await w.client.POST("/v2/query/intersection", {
    body: { audiences: { row: young, column: women }, locations: ["east"], coverage: true, statistics: surely("rest") },
  }));
  assert.equal(cell.data.intersect.size, 710053087.898); // 710053056 with 32 bits
  assert.equal(cell.data.intersect.percentage, 99.99999985916546);
}

/** Cells as they come, in both framings. */
async function streams(w: Walk) {
  for (const media of ["application/x-ndjson", "application/json-seq"]) {
    const { data, response } = await w.client.POST("/v2/query/crosstab", {
      parseAs: "stream",
      headers: { Accept: media },
      body: {
        rows: [women, audience("s1", "shop.visit", "s1"), audience("good", "mood", "good")],
        columns: [audience("w1", "waves", "w1"), audience("w2", "waves", "w2")], coverage: true,
      },
    });
    assert.ok(data);
    assert.equal(response.headers.get("Content-Type"), media);
    const cells: Schemas["CrosstabCell"][] = [];
    let text = "";
    const decoder = new TextDecoder();
    for await (const part of data as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(part, { stream: true });
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      cells.push(...lines.map((line) => JSON.parse(line.replace("\x1e", "")) as Schemas["CrosstabCell"]));
    }
    assert.equal(text, "");
    assert.equal(cells.length, 6);
    assert.equal(response.headers.get("X-Cell-Count"), "6");
    assert.equal(cells[5]?.row_index, 3);
    w.compare("[" + w.curl().replaceAll("\x1e", "").trimEnd().split("\n").join(",") + "]", cells, `${w.type(media)}[]`);
  }
}

async function statistics(w: Walk) {
  const all = { splitter: "waves", audiences: [women, men], coverage: true, statistics: surely("rest", "previous", "audiences", "segments") };
  const stats = w.same(await w.client.POST("/v2/query/stats", { body: { question: "brands", ...all } }));
  assert.equal(stats.meta.type, "DATAPOINTS-SEGMENTS");
  w.same(await w.client.POST("/v2/query/stats", { body: { question: "use", suffixes: ["1", 2] } }));
  const summary = w.same(await w.client.POST("/v2/query/summary", { body: { question: "age", quantiles: [2.5, 97.5], ...all } }));
  assert.equal(typeof summary.data[0]?.metrics.quantiles["2.5"], "number");
  w.same(await w.client.POST("/v2/query/profile", { body: { audience: women, min_sample: 1, false_discovery: 50, coverage: true } }));
  w.same(await w.client.POST("/v2/query/association", {
    body: { rows: { question: "gender" }, columns: { question: "use", datapoints: ["phone"] }, coverage: true },
  }));
  w.same(await w.client.POST("/v3/query/audience_wave_counts", { body: { expression: women.expression ?? {}, coverage: true } }));
  const trend = w.same(await w.client.POST("/v2/query/audience_wave_counts", {
    params: { query: { coverage: true, matched: true, statistics: 95 } }, body: women.expression ?? {},
  }));
  assert.deepEqual(trend.data.map((wave) => wave.wave_code), ["w1", "w2"]);
}

async function catalogue(w: Walk) {
  const body = { include: { categories: true, datapoints: true, taxonomy_paths: true } };
  const answer = await w.client.POST("/v3/questions/filter", { body });
  const { questions } = w.same(answer);
  assert.equal(questions.length, 8);
  // What the client has already it need not load again.
  const tag = answer.response.headers.get("ETag") ?? "";
  const again = await w.client.POST("/v3/questions/filter", { params: { header: { "If-None-Match": tag } }, body });
  assert.equal(again.response.status, 304);
  const found = w.same(await w.client.POST("/v3/questions/filter", { body: { search: "use week", limit: 1 } }));
  assert.deepEqual(found.questions[0]?.match?.suffixes, [{ code: "2", name: "Weekly" }]);
  const { locations } = w.same(await w.client.POST("/v2/locations/filter", { body: { include: { regions: true }, waves: [{ code: "w2" }] } }));
  assert.equal(locations.at(-1)?.region?.area, "Mainland");
  w.same(await w.client.POST("/v2/waves/filter", { body: {} }));
  w.same(await w.client.POST("/v2/namespaces/filter", { body: {} }));
  w.same(await w.client.POST("/v2/categories/filter", { body: {} }));
  w.same(await w.client.POST("/v2/datasets/filter", { body: { datasets: [{ code: "screens" }] } }));
}

async function insights(w: Walk) {
  const page = w.same(await w.client.POST("/v3/insights/filter", { body: { limit: 2 } }));
  const id = page.insights[0]?.id ?? 0;
  w.same(await w.client.GET("/v3/insights/{id}", { params: { path: { id } } }));
  const view = w.same(await w.client.GET("/v1/insights-api/generic/insights/{id}", { params: { path: { id: "screens" } } }));
  assert.equal(typeof view.question_calculations[0]?.calculations[0]?.percentage, "number");
}

/** Takes a saved audience through its life. What has changed it is held against what curl reads afterwards. */
async function saved(w: Walk) {
  const made = await w.client.POST("/v2/saved/audiences", {
    body: { name: "Daily users", expression: { question: "use", suffixes: [1] }, flags: ["authored"] },
  });
  assert.ok(made.data);
  const path = { id: made.data.id }, where = made.response.headers.get("Location") ?? "", tag = made.response.headers.get("ETag") ?? "";
  w.compare(w.curl(where), made.data, w.type());
  const changed = await w.client.PATCH("/v2/saved/audiences/{id}", { params: { path, header: { "If-Match": tag } }, body: { shared: true } });
  assert.equal(changed.data?.shared, true);
  w.compare(w.curl(where), changed.data, w.type());
  w.same(await w.client.GET("/v2/saved/audiences/{id}", { params: { path } }));
  const list = w.same(await w.client.GET("/v2/saved/audiences", { params: { query: { flags: ["authored", "isP2"] } } }));
  assert.equal(list.meta.total, 1);
  const late = w.refused(await w.client.DELETE("/v2/saved/audiences/{id}", { params: { path, header: { "If-Match": tag } } }));
  assert.equal(late.type, "precondition_failed");
  const gone = await w.client.DELETE("/v2/saved/audiences/{id}", { params: { path } });
  assert.equal(gone.response.status, 204);
  w.refused(await w.client.GET("/v2/saved/audiences/{id}", { params: { path } }));
}

/** Takes a derived question through its life, as saved does an audience. */
async function derived(w: Walk) {
  const made = await w.client.POST("/v2/questions/derived", {
    body: { code: "sex", datapoints: [{ code: "women", expression: { question: "gender", datapoints: ["f"] } }] },
  });
  assert.ok(made.data);
  const path = { code: "sex" }, where = made.response.headers.get("Location") ?? "", tag = made.response.headers.get("ETag") ?? "";
  w.compare(w.curl(where), made.data, w.type());
  const changed = await w.client.PATCH("/v2/questions/derived/{code}", { params: { path, header: { "If-Match": tag } }, body: { shared: true } });
  assert.equal(changed.data?.version, 2);
  w.compare(w.curl(where), changed.data, w.type());
  w.same(await w.client.GET("/v2/questions/derived/{code}", { params: { path } }));
  const list = w.same(await w.client.GET("/v2/questions/derived"));
  assert.equal(list.meta.total, 1);
  const late = w.refused(await w.client.DELETE("/v2/questions/derived/{code}", { params: { path, header: { "If-Match": tag } } }));
  assert.equal(late.type, "precondition_failed");
  const gone = await w.client.DELETE("/v2/questions/derived/{code}", { params: { path } });
  assert.equal(gone.response.status, 204);
}

/** An error in each shape. */
async function errors(w: Walk) {
  const wrong = w.refused(await w.client.POST("/v2/query/stats", { body: { question: "" } }));
  assert.ok("error_type" in wrong && wrong.error_type === "invalid_query");
  const forbidden = w.refused(await w.client.POST("/v2/query/stats", { body: { question: "nothing", waves: ["w9"] } }));
  assert.ok("meta" in forbidden);
  assert.deepEqual(forbidden.meta.forbidden_codes.waves, ["w9"]);
  const moved = w.refused(await w.client.POST("/v2/waves/filter", { params: { header: { "If-Data-Version": 99 } }, body: {} }));
  assert.equal(moved.code, 412);
  const unknown = w.refused(await w.client.GET("/v1/insights-api/generic/insights/{id}", { params: { path: { id: "unknown" } } }));
  assert.equal(typeof unknown.message, "string");
}
