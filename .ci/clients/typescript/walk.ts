import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import createClient, { type Client } from "openapi-fetch";

import type { components, paths } from "./api.d.ts";

export type Schemas = components["schemas"];
export type Document = { paths: Record<string, object> };

/** The fields that fetch and curl set by themselves. */
const own = new Set(["accept-encoding", "accept-language", "connection", "content-length", "host", "sec-fetch-mode", "user-agent"]);

/** A client on its way through the endpoints of a server, whose answers it holds against what curl gets. */
export class Walk {
  readonly client: Client<paths, "application/json">;
  /** What was served. */
  readonly asked: { method: string; path: string }[] = [];
  /** What the answers are as a program, which compiles if they are of the types that the document gives them. */
  program = 'import type { paths } from "../api.d.ts";\n';
  /** How many numbers of the answers 32 bits would have changed. */
  long = 0;
  private method = "";
  private url = "";
  private status = 0;
  private answers = 0;
  private headers: string[] = [];
  private body = "";

  constructor(readonly server: string, key: string, readonly document: Document) {
    this.client = createClient<paths, "application/json">({
      baseUrl: server,
      headers: { Authorization: key },
      fetch: async (request) => {
        this.method = request.method;
        this.url = request.url;
        this.headers = [...request.headers].filter(([name]) => !own.has(name)).map(([name, value]) => `${name}: ${value}`);
        this.body = await request.clone().text();
        const response = await fetch(request);
        this.status = response.status;
        if (response.ok) {
          this.asked.push({ method: request.method.toLowerCase(), path: new URL(request.url).pathname });
        }
        return response;
      },
    });
  }

  /** Sends the last request once more by curl, or reads another path, and returns the body that comes back. */
  curl(path?: string): string {
    const args = ["-sS", "--max-time", "30", ...this.headers.flatMap((h) => ["-H", h])];
    if (path !== undefined) {
      return execFileSync("curl", [...args, this.server + path], { encoding: "utf8" });
    }
    args.push("-X", this.method);
    if (this.body !== "") {
      args.push("--data-binary", "@-");
    }
    return execFileSync("curl", [...args, this.url], { encoding: "utf8", input: this.body });
  }

  /** Fails if an answer, written again, is not what curl gets, byte for byte; returns the answer. */
  same<T>(answer: { data?: T; error?: unknown }): NonNullable<T> {
    assert.ok(answer.data !== undefined && answer.data !== null, `${this.method} ${this.url}: ${JSON.stringify(answer.error)}`);
    this.compare(this.curl(), answer.data, this.type());
    return answer.data;
  }

  /** Does so for the body of an error. */
  refused<E>(answer: { data?: unknown; error?: E }): NonNullable<E> {
    assert.ok(answer.error !== undefined && answer.error !== null, `${this.method} ${this.url} is no error`);
    this.compare(this.curl(), answer.error, this.type());
    return answer.error;
  }

  /** The type that the document gives the last answer. */
  type(media = "application/json"): string {
    const path = this.template(new URL(this.url).pathname);
    return `paths["${path}"]["${this.method.toLowerCase()}"]["responses"][${this.status}]["content"]["${media}"]`;
  }

  compare(sent: string, answer: unknown, type: string): void {
    this.program += `export const answer${this.answers++}: ${type} = ${sent.trimEnd()};\n`;
    assert.equal(JSON.stringify(answer), sent.trimEnd(), `${this.method} ${this.url}`);
    JSON.stringify(answer, (_, v: unknown) => {
      if (typeof v === "number" && Math.fround(v) !== v) {
        this.long++;
      }
      return v;
    });
  }

  /** The path of the document that a request is to. */
  private template(path: string): string {
    return Object.hasOwn(this.document.paths, path) ? path : Object.keys(this.document.paths).find((template) =>
      new RegExp("^" + template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+") + "$").test(path)) ?? "";
  }

  /** The endpoints of the document that served nothing. */
  missing(): string[] {
    const served = new Set(this.asked.map(({ method, path }) => `${method} ${this.template(path)}`));
    return Object.entries(this.document.paths)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
      .filter((endpoint) => !served.has(endpoint));
  }
}
