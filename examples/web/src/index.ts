/** Asks a Crosswave server, from browsers and from Node. */
export { Client } from "./client.js";
export type { CallOptions, ClientOptions } from "./wire.js";
export { BrokenOffError, CrosswaveError, UnsafeNumberError } from "./errors.js";
export type { Refusal } from "./errors.js";
export type * from "./catalogue.js";
export type * from "./crosstab.js";
export type * from "./expression.js";
export type * from "./insights.js";
export type * from "./derived.js";
export type * from "./saved.js";
export type * from "./service.js";
export type * from "./statistics.js";
export type * from "./stats.js";
