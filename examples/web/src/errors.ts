import type { ErrorType, ForbiddenCodes } from "./service.js";

/** What else a refusal came with. */
export interface Refusal {
  /** HTTP status. */
  status: number;
  /** The body as it came: parsed where it is JSON, else text. */
  body: unknown;
  /** Its headers. */
  headers: Headers;
}

/** What a server refused. */
export class CrosswaveError extends Error {
  override readonly name: string = "CrosswaveError";
  /** HTTP status. */
  readonly status: number;
  /** One word for what is wrong; the status in words where what stands between says nothing. */
  readonly type: ErrorType | (string & {});
  /** For developers, with the path of what is wrong. */
  readonly reason: string;
  /** For customers; empty of records. */
  readonly customerMessage: string;
  /** Where in the request it is, such as `rows[3].expression.and[0].datapoints`; undefined where nothing is told. */
  readonly path: string | undefined;
  /** The codes that the key may not use, of type `forbidden`. */
  readonly forbidden: ForbiddenCodes | undefined;
  /** Under which the server's log has the request, and from status 500 on the cause. */
  readonly requestId: string | undefined;
  /** How many seconds the server asks to wait; undefined if it does not say. */
  readonly retryAfter: number | undefined;
  /** All that the server said: parsed where it is JSON, else text. */
  readonly body: unknown;

  constructor(refusal: Refusal) {
    const told = members(refusal.body);
    const type = text(told["error_type"]) || text(told["type"]) || inOneWord(refusal.status);
    const customerMessage = text(told["message"]);
    const reason = text(told["error"]) || text(told["err"]) || (typeof refusal.body === "string" ? refusal.body : "");
    const requestId = refusal.headers.get("X-Request-Id") ?? undefined;
    const logged = requestId && refusal.status >= 500 ? ` (request ${requestId})` : ""; // the cause is in the log alone
    super(`${refusal.status} ${type}: ${reason || customerMessage}${logged}`);
    this.status = refusal.status;
    this.type = type;
    this.reason = reason;
    this.customerMessage = customerMessage;
    this.path =
      refusal.status === 400 ? /^([a-z_]+(?:\[\d+\])?(?:\.[a-z_]+(?:\[\d+\])?)*): /.exec(reason)?.[1] : undefined;
    this.forbidden = members(told["meta"])["forbidden_codes"] as ForbiddenCodes | undefined;
    this.requestId = requestId;
    this.retryAfter = secondsToWait(refusal.headers.get("Retry-After"));
    this.body = refusal.body;
  }
}

/** An answer that broke off: what came of it may be used, but it is not all. `cause` is what broke it, where known. */
export class BrokenOffError extends Error {
  override readonly name: string = "BrokenOffError";
  /** How many cells of a crosstab are missing; undefined of other answers. */
  readonly missing: number | undefined;

  constructor(message: string, missing?: number, options?: ErrorOptions) {
    super(message, options);
    this.missing = missing;
  }
}

/** An id or version of more than 2^53, which a JavaScript number can't hold: it would have named something else. */
export class UnsafeNumberError extends RangeError {
  override readonly name: string = "UnsafeNumberError";
}

/** Reads a Retry-After, in seconds or as a date. */
function secondsToWait(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

/** The words of those statuses that proxies answer with by themselves. */
function inOneWord(status: number): string {
  const words: Record<number, string> = {
    400: "invalid_query",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "too_slow",
    409: "conflict",
    412: "precondition_failed",
    413: "too_large",
    429: "rate_limited",
    500: "internal",
    502: "bad_gateway",
    503: "unavailable",
    504: "timeout",
  };
  return words[status] ?? `status_${status}`;
}

function members(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
