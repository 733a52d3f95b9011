// Serves this page, and the client that it is built with, on 127.0.0.1:
//
//   node page/serve.mjs [--port 8000] [--api URL]
//
// With the URL of a Crosswave server, whatever is asked below /api is passed on to it: then page and server are of one
// origin, and the server need not let others ask.
import { readFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { port: { type: "string", default: "8000" }, api: { type: "string" } } });
const types = { html: "text/html; charset=utf-8", css: "text/css", js: "text/javascript" };
const files = /^\/(page\/(index\.html|page\.css|build\/\w+\.js)|dist\/\w+\.js)$/;

/** Passes a request on, and its answer back as it comes. */
function pass(asked, answer) {
  const on = request(values.api + asked.url.slice("/api".length), { method: asked.method, headers: asked.headers });
  on.on("response", (got) => {
    answer.writeHead(got.statusCode, got.headers);
    got.pipe(answer);
    got.on("error", () => answer.destroy());
  });
  on.on("error", () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end("no answer\n")));
  answer.on("close", () => on.destroy());
  asked.pipe(on);
}

const server = createServer(async (asked, answer) => {
  if (values.api && asked.url.startsWith("/api/")) return pass(asked, answer);
  const path = asked.url === "/page/" ? "/page/index.html" : asked.url;
  if (path === "/") return answer.writeHead(302, { Location: "/page/" }).end();
  try {
    if (!files.test(path)) throw new Error("no such file");
    const body = await readFile(new URL(".." + path, import.meta.url));
    answer.writeHead(200, { "Content-Type": types[path.split(".").at(-1)], "Cache-Control": "no-cache" }).end(body);
  } catch {
    answer.writeHead(404).end("not found\n");
  }
});
server.listen(Number(values.port), "127.0.0.1", () => {
  console.log(`the page is on http://127.0.0.1:${server.address().port}/page/`);
});
