import { BrokenOffError, CrosswaveError, UnsafeNumberError } from "./errors.js";

/** Which server is asked, with which key, and how patiently. */
export interface ClientOptions {
  /** URL of the server, with its base path if it has one: `https://example.com/api`; in browsers also `/api`. */
  url: string;
  /** The key, as the server gave it. */
  key: string;
  /** What sends requests; the platform's `fetch` unless given. */
  fetch?: typeof fetch;
  /** How often a request is sent at the most, where the server asks to wait; 4 unless given. */
  attempts?: number;
  /** How many seconds are waited at the most; where the server asks for more, its error is thrown. 60 unless given. */
  longestWait?: number;
  /** The only version of the survey to be answered from: else the error is of type `precondition_failed`. */
  dataVersion?: number;
  /** How many answers of the catalogue are kept, for servers to say that they still hold; 16 unless given. */
  kept?: number;
}

/** What one request may have besides. */
export interface CallOptions {
  /** Ends the request, the waiting before it is sent again, and the stream. Its reason is thrown. */
  signal?: AbortSignal;
  /** As in ClientOptions, for this request. */
  dataVersion?: number;
  /** Of changes to saved audiences: the ETag of the version to change or delete. */
  ifMatch?: string;
  /** Is told the headers of the answer: ETag, Location, Data-Version. */
  onHeaders?: (headers: Headers) => void;
}

/** Sends requests, and waits and sends them again where the server asks for that. */
export class Wire {
  readonly #options: ClientOptions;
  readonly #url: string;
  #seenVersion: number | undefined;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#url = options.url.replace(/\/+$/, "");
  }

  /** The version of the survey that the last answer was formed from; undefined before the first. */
  get seenVersion(): number | undefined {
    return this.#seenVersion;
  }

  /** Asks, and reads the whole answer. */
  async text(method: string, path: string, body?: string, options: CallOptions = {}): Promise<string> {
    return this.read(await this.send(method, path, body, options), options);
  }

  /** Reads the whole of an answer. */
  read(response: Response, options: CallOptions = {}): Promise<string> {
    return whole(response, options.signal);
  }

  /** Asks, and gives the answer once its headers are there. Anything but success is thrown. */
  async send(
    method: string,
    path: string,
    body?: string,
    options: CallOptions = {},
    ifNoneMatch?: string,
  ): Promise<Response> {
    const { attempts = 4, longestWait = 60 } = this.#options;
    const headers = this.#headers(body, options, ifNoneMatch);
    for (let attempt = 1; ; attempt++) {
      const response = await this.#once(method, path, body, headers, options.signal);
      if (response.ok || (response.status === 304 && ifNoneMatch !== undefined)) {
        this.#note(response.headers);
        options.onHeaders?.(response.headers);
        return response;
      }
      const error = await refused(response, options.signal);
      const wait = error.retryAfter ?? 2 ** (attempt - 1);
      if (attempt >= attempts || !again(method, path, error.status) || wait > longestWait) throw error;
      await pause(wait, options.signal);
    }
  }

  #headers(body: string | undefined, options: CallOptions, ifNoneMatch: string | undefined): Record<string, string> {
    const headers: Record<string, string> = { Authorization: this.#options.key };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const version = options.dataVersion ?? this.#options.dataVersion;
    if (version !== undefined) headers["If-Data-Version"] = String(version);
    if (options.ifMatch !== undefined) headers["If-Match"] = options.ifMatch;
    if (ifNoneMatch !== undefined) headers["If-None-Match"] = ifNoneMatch;
    return headers;
  }

  /** The browser adds nothing of its own: no cookies, no cached answers, no page that asked. */
  #once(
    method: string,
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const ask = this.#options.fetch ?? fetch;
    return ask(this.#url + path, {
      method,
      headers,
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      body: body ?? null,
      signal: signal ?? null,
    });
  }

  #note(headers: Headers): void {
    const version = headers.get("Data-Version");
    if (version !== null) this.#seenVersion = safe("Data-Version", Number(version));
  }
}

/** Whether a refused request may be sent again: always where it was not looked at (429), but not a change after 503. */
function again(method: string, path: string, status: number): boolean {
  const changes = method !== "GET" && /^\/v2\/(saved\/|questions\/derived)/.test(path);
  return status === 429 || (status === 503 && !changes);
}

async function refused(response: Response, signal: AbortSignal | undefined): Promise<CrosswaveError> {
  const text = await whole(response, signal);
  let body: unknown = text.trim();
  try {
    body = JSON.parse(text);
  } catch {
    // What is no JSON comes from what stands between, and is told as it is.
  }
  return new CrosswaveError({ status: response.status, body, headers: response.headers });
}

async function whole(response: Response, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    throw new BrokenOffError("the answer broke off", undefined, { cause });
  }
}

/** Waits some seconds, and no longer than the signal lets it. */
function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}

/** The cells of a stream, one line each, as they come. Whoever stops taking them ends the request. */
export async function* cells<Cell>(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<Cell, void, undefined> {
  const announced = response.headers.get("X-Cell-Count") ?? "";
  let left = /^\d+$/.test(announced) ? Number(announced) : Number.NaN;
  if (Number.isNaN(left) || !response.body) {
    await response.body?.cancel();
    throw new BrokenOffError("the answer does not say how many cells there are");
  }
  const missing = () => `the answer broke off: ${left} cells are missing`;
  try {
    for await (const line of lines(response.body)) {
      const cell = JSON.parse(line) as Cell;
      if (--left < 0) throw new BrokenOffError("the answer has more cells than it said", left);
      yield cell;
      signal?.throwIfAborted();
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (left === 0) return;
    throw cause instanceof BrokenOffError ? cause : new BrokenOffError(missing(), left, { cause });
  }
  if (left > 0) throw new BrokenOffError(missing(), left);
}

/** The lines of a body, as they come. What is after the last newline is no line. */
async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      let start = 0;
      for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n", start)) {
        yield rest.slice(start, end);
        start = end + 1;
      }
      rest = rest.slice(start);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Reads an answer. */
export function parsed<T>(text: string, reviver?: (key: string, value: unknown) => unknown): T {
  try {
    return JSON.parse(text, reviver) as T;
  } catch (cause) {
    throw cause instanceof SyntaxError ? new BrokenOffError("the answer is no JSON", undefined, { cause }) : cause;
  }
}

/** The members that hold whole numbers which name something. */
const naming = new Set(["id", "v1_id", "user_id", "data_version", "category_ids"]);

/**
 * Reads records. A number that names something, and that JavaScript would round to another, is an error; other whole
 * numbers of the interface are of respondents or places, which are far from 2^53, and people are 64-bit floats anyway.
 */
export function records<T>(text: string): T {
  return parsed<T>(text, (key, value) => {
    if (naming.has(key)) for (const x of Array.isArray(value) ? value : [value]) safe(key, x);
    return value;
  });
}

function safe<T>(name: string, value: T): T {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new UnsafeNumberError(`${name} is ${value}, or near it: more than a JavaScript number can tell apart`);
  }
  return value;
}
