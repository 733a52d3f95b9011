// The interface of the server that the page comes from. Each call has the key, and fails with a Refusal that says what
// the user can do. A server that is busy is asked again when it says.
import { key } from "./session.js";

// The address that the paths of the interface begin with; where the page is.
export const base = new URL(".", location.href).href.replace(/\/$/, "");

// Why there is no answer: "key", "away", "busy", "forbidden", "empty" or "wrong" (the request itself).
export class Refusal extends Error {
  constructor(kind, message, status, type, wait = 0) {
    super(message);
    this.kind = kind;
    this.status = status;
    this.type = type; // the word that the interface names the error by
    this.wait = wait; // after how many seconds to ask again
  }
}

// The kinds of refusals that pass by themselves.
export const passing = new Set(["away", "busy"]);

// The version of the survey that was answered from last; who listens is told when it changes.
let seen;
let tellVersion = () => {};
export function onVersion(tell) {
  tellVersion = tell;
}
export function forgetVersion() {
  seen = undefined;
}

// Who listens is told when the server does not know the key, or not any more; at once, if it was found out before.
let keyRefused = () => (unheard = true);
let unheard = false;
export function onKeyRefused(tell) {
  keyRefused = tell;
  if (unheard) tell();
  unheard = false;
}

// Asks an endpoint, with a body or without, and gives its document.
export async function ask(path, body, { signal, method } = {}) {
  const response = await send(path, body, { signal, method });
  if (response.status === 204) return undefined;
  return response.json();
}

// The answer to a request as it comes, for what is taken away in another form than JSON.
// With match the request holds only while a saved audience is at the version of that entity tag.
export async function send(path, body, { signal, method, accept, match } = {}) {
  for (let attempt = 1; ; attempt++) {
    const response = await once(path, body, { signal, method, accept, match });
    if (response.ok) {
      notice(response.headers.get("Data-Version"));
      return response;
    }
    const refusal = await refused(response);
    if (refusal.kind === "key") keyRefused();
    if (refusal.kind !== "busy" || attempt === 3 || refusal.wait > 10) throw refusal;
    await new Promise((resolve) => setTimeout(resolve, 1000 * refusal.wait));
    signal?.throwIfAborted();
  }
}

async function once(path, body, { signal, method, accept, match }) {
  const headers = { Authorization: key() };
  if (accept) headers.Accept = accept;
  if (match) headers["If-Match"] = match;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    return await fetch(base + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal("away", "The server does not answer. Is it running, and is this computer connected to it?");
  }
}

const kinds = { 401: "key", 403: "forbidden", 408: "busy", 429: "busy", 502: "away", 503: "busy", 504: "away" };

async function refused(response) {
  let told = {};
  try {
    told = await response.json();
  } catch {
    // A proxy that answers for a server that is away has no such document.
  }
  const kind = kinds[response.status] ?? (response.status >= 500 ? "away" : "wrong");
  const message = told.error ?? told.err ?? told.message ?? `The server answered ${response.status}.`;
  const wait = Number(response.headers.get("Retry-After"));
  return new Refusal(kind, message, response.status, told.error_type ?? told.type, wait > 0 ? wait : 0);
}

function notice(version) {
  if (version === null) return;
  const before = seen;
  seen = version;
  if (before !== undefined && before !== version) tellVersion(version);
}
