import assert from "node:assert/strict";
import type { RequestListener, ServerResponse } from "node:http";
import { test } from "node:test";
import { BrokenOffError, Client, CrosswaveError, UnsafeNumberError } from "../../dist/index.js";
import type { ClientOptions } from "../../dist/index.js";
import { stub } from "./serving.js";

/** Has some requests answered one after the other, the last again and again, and counts them. */
async function scripted(
  answers: RequestListener[],
  ask: (client: Client) => Promise<unknown>,
  options: Partial<ClientOptions> = {},
) {
  let asked = 0;
  const { url, end } = await stub((q, r) => answers[Math.min(asked++, answers.length - 1)]!(q, r));
  try {
    return { answer: await ask(new Client({ url, key: "k", ...options })), asked };
  } catch (error) {
    return { error, asked };
  } finally {
    await end();
  }
}

function status(code: number, retryAfter?: string): RequestListener {
  return (_, r) => {
    r.writeHead(code, retryAfter === undefined ? {} : { "Retry-After": retryAfter });
    r.end('{"code": 1, "err": "wait", "type": "told"}');
  };
}

function well(body: string, headers = {}): RequestListener {
  return (_, r) => r.writeHead(200, headers).end(body);
}

const me = (c: Client) => c.me();
const save = (c: Client) => c.save({ name: "x", expression: {} });
const stats = (c: Client) => c.stats({ question: "q" });
const fine = well('{"user_id": 5}');

test("requests are sent again where that is safe, and only there", async (t) => {
  const cases: [
    string,
    RequestListener[],
    (c: Client) => Promise<unknown>,
    Partial<ClientOptions>,
    number,
    number | undefined,
  ][] = [
    ["well at once", [fine], me, {}, 1, undefined],
    ["too many, then well", [status(429, "1"), fine], me, {}, 2, undefined],
    ["away, then well", [status(503, "0"), fine], me, {}, 2, undefined],
    ["not said how long", [status(503), fine], me, {}, 2, undefined],
    ["told by a date", [status(503, new Date(Date.now() + 900).toUTCString()), fine], me, {}, 2, undefined],
    ["away for good", [status(503, "0")], me, {}, 4, 503],
    ["away for good, and twice is enough", [status(503, "0")], me, { attempts: 2 }, 2, 503],
    ["too long", [status(503, "90"), fine], me, {}, 1, 503],
    ["too long for this client", [status(429, "2"), fine], me, { longestWait: 1 }, 1, 429],
    ["wrong", [status(400, "1"), fine], me, {}, 1, 400],
    ["broken", [status(500, "1"), fine], me, {}, 1, 500],
    ["a query, away", [status(503, "0"), fine], stats, {}, 2, undefined],
    ["a change, too many", [status(429, "0"), fine], save, {}, 2, undefined],
    ["a change, away", [status(503, "0"), fine], save, {}, 1, 503],
    ["a deletion, away", [status(503, "0"), fine], (c) => c.deleteSaved("x"), {}, 1, 503],
  ];
  for (const [name, answers, ask, options, want, failure] of cases) {
    await t.test(name, async () => {
      const { error, asked } = await scripted(answers, ask, options);
      assert.equal((error as CrosswaveError | undefined)?.status, failure, String(error));
      assert.equal(asked, want);
    });
  }
});

test("Retry-After is waited for", async () => {
  const began = performance.now();
  await scripted([status(429, "1"), fine], me);
  const took = performance.now() - began;
  assert(took >= 990, `${took} ms`);
});

test("what is sent is what the interface wants", async () => {
  let got: { method?: string; url?: string; headers?: NodeJS.Dict<string | string[]>; body?: string } = {};
  const { answer } = await scripted(
    [
      async (q, r) => {
        let body = "";
        for await (const part of q) body += String(part);
        got = { method: q.method!, url: q.url!, headers: q.headers, body };
        r.writeHead(200, { "Data-Version": "8" }).end('{"data": []}');
      },
    ],
    async (c) => [
      await c.trend({ question: "ä" }, { coverage: true, statistics: 99.5 }, { dataVersion: 7 }),
      c.seenVersion,
    ],
  );
  assert.deepEqual(answer, [{ data: [] }, 8]);
  assert.equal(got.method, "POST");
  assert.equal(got.url, "/v2/query/audience_wave_counts?coverage=true&statistics=99.5");
  assert.equal(got.body, '{"question":"ä"}');
  const { authorization, "content-type": type, "if-data-version": version, cookie } = got.headers!;
  assert.deepEqual([authorization, type, version, cookie], ["k", "application/json", "7", undefined]);
});

test("what stands between client and server may answer, too", async () => {
  const { error } = await scripted([(_, r) => r.writeHead(502).end("<html>no upstream</html>\n")], me);
  assert(error instanceof CrosswaveError);
  assert.equal(error.message, "502 bad_gateway: <html>no upstream</html>");
  const { error: login } = await scripted([well("<html>sign in</html>")], me);
  assert(login instanceof BrokenOffError && login.cause instanceof SyntaxError, String(login));
});

/** A stream of cells that says there are three. */
function stream(write: (r: ServerResponse) => void): RequestListener {
  return (_, r) => {
    r.writeHead(200, { "X-Cell-Count": "3" });
    write(r);
  };
}

test("a stream that breaks off is no whole answer", async (t) => {
  const cases: [string, RequestListener, number, number | undefined][] = [
    ["between cells", stream((r) => r.end('{"row_index":1}\n')), 1, 2],
    ["within a cell", stream((r) => r.end('{"row_index":1}\n{"row_in')), 1, 2],
    ["before the last newline", stream((r) => r.end('{}\n{}\n{"row_index":1}')), 2, 1],
    ["the connection", stream((r) => r.write('{"row_index":1}\n', () => setTimeout(() => r.destroy(), 50))), 1, 2],
    ["no JSON", stream((r) => r.end("{}\n}{\n{}\n")), 1, 2],
    ["more than it said", stream((r) => r.end("{}\n{}\n{}\n{}\n")), 3, -1],
    ["no count", well("{}\n"), 0, undefined],
    ["well", stream((r) => r.end("{}\n{}\n{}\n")), 3, undefined],
  ];
  for (const [name, answer, want, missing] of cases) {
    await t.test(name, async () => {
      let cells = 0;
      const { error } = await scripted([answer], async (c) => {
        for await (const cell of c.crosstab()) cells += typeof cell === "object" ? 1 : 0;
      });
      assert.equal(cells, want);
      if (name === "well") return assert.equal(error, undefined);
      assert(error instanceof BrokenOffError, String(error));
      assert.equal(error.missing, missing);
      assert.equal(error.cause !== undefined, name === "the connection" || name === "no JSON");
    });
  }
  const { error } = await scripted(
    [(_, r) => r.writeHead(200).write("{", () => setTimeout(() => r.destroy(), 50))],
    me,
  );
  assert(error instanceof BrokenOffError, "an answer in one piece breaks off");
});

test("cells are cut where lines end, wherever the parts of the stream do", async () => {
  const text = Buffer.from('{"row":{"id":"ä€😀"}}\n{"row":{"id":"\\n"}}\n{}\n');
  const bytewise: RequestListener = stream((r) => {
    let i = 0;
    const next = () => (i < text.length ? r.write(text.subarray(i, ++i), () => setImmediate(next)) : r.end());
    next();
  });
  const { answer } = await scripted([bytewise], async (c) => {
    const ids = [];
    for await (const cell of c.crosstab()) ids.push(cell.row?.id);
    return ids;
  });
  assert.deepEqual(answer, ["ä€😀", "\n", undefined]);
});

/** A stream of 64 MiB, as fast as it is taken, that tells how much was written and whether it was closed. */
function endless(): { answer: RequestListener; written: () => number; closed: Promise<void> } {
  const line = Buffer.from(JSON.stringify({ pad: "x".repeat(1 << 14) }) + "\n");
  let written = 0;
  let tell: () => void;
  const closed = new Promise<void>((resolve) => (tell = resolve));
  const answer: RequestListener = (_, r) => {
    r.writeHead(200, { "X-Cell-Count": "4096" });
    r.once("close", () => tell());
    const go = () => {
      while (written < 4096 && !r.destroyed) {
        written++;
        if (!r.write(line)) return void r.once("drain", go);
      }
    };
    go();
  };
  return { answer, written: () => written, closed };
}

const soon = { timeout: 600_000 }; // what hangs is an error

test("no more of a stream is kept than is on its way, and leaving the loop ends the request", soon, async () => {
  const { answer, written, closed } = endless();
  const { error } = await scripted([answer], async (c) => {
    let cells = 0;
    for await (const _ of c.crosstab()) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (++cells === 5) break;
    }
    await closed;
  });
  assert.equal(error, undefined);
  assert(written() < 2048, `${written()} of 4,096 cells were sent while five were taken`);
});

test("an abort is thrown as it was meant, wherever it comes", soon, async (t) => {
  const reason = new Error("enough");
  await t.test("before", async () => {
    const { error, asked } = await scripted([fine], (c) => c.me({ signal: AbortSignal.abort(reason) }));
    assert.equal(error, reason);
    assert.equal(asked, 0);
  });
  await t.test("while the server thinks", async () => {
    const ending = new AbortController();
    const { error } = await scripted([() => ending.abort(reason)], (c) => c.stats({ question: "q" }, ending));
    assert.equal(error, reason);
  });
  await t.test("while the client waits", async () => {
    const ending = new AbortController();
    const refused: RequestListener = (q, r) => {
      status(503, "60")(q, r);
      setTimeout(() => ending.abort(reason), 50);
    };
    const began = performance.now();
    const { error, asked } = await scripted([refused], (c) => c.me(ending));
    assert.equal(error, reason);
    assert.equal(asked, 1);
    assert(performance.now() - began < 59_000, "it is not waited for 60 seconds");
  });
  await t.test("in a stream", async () => {
    const ending = new AbortController();
    const { answer, closed } = endless();
    let cells = 0;
    const { error } = await scripted([answer], async (c) => {
      try {
        for await (const _ of c.crosstab({}, ending)) if (++cells === 3) ending.abort(reason);
      } finally {
        await closed;
      }
    });
    assert.equal(error, reason);
    assert.equal(cells, 3);
  });
  await t.test("by the clock", async () => {
    const { error } = await scripted([() => undefined], (c) => c.me({ signal: AbortSignal.timeout(50) }));
    assert.equal((error as Error).name, "TimeoutError");
  });
});

test("a number that would name something else is an error", async (t) => {
  const large = "9007199254740993"; // 2^53 + 1, which JavaScript takes for 2^53
  const cases: [string, string, (c: Client) => Promise<unknown>, boolean][] = [
    ["user", `{"user_id": ${large}}`, me, true],
    ["negative", `{"user_id": -${large}}`, me, true],
    ["insight", `{"insights": [{"id": ${large}}]}`, (c) => c.insights(), true],
    ["categories", `{"category_ids": [1, ${large}]}`, (c) => c.insight(1), true],
    ["saved", `{"data": [{"v1_id": ${large}}]}`, (c) => c.listSaved(), true],
    ["the largest that is told apart", '{"user_id": 9007199254740991}', me, false],
    ["a limit names nothing", `{"limits": {"body_bytes": ${large}}}`, me, false],
    ["people are floats", `{"base_size": ${large}}`, (c) => c.waveCounts({ expression: null }), false],
  ];
  for (const [name, body, ask, wrong] of cases) {
    await t.test(name, async () => {
      const { error } = await scripted([well(body)], ask);
      assert.equal(error instanceof UnsafeNumberError, wrong, String(error));
      assert.equal(error !== undefined, wrong);
    });
  }
  const { error } = await scripted([well("{}", { "Data-Version": large })], me);
  assert(error instanceof UnsafeNumberError, "a version");
});
