import type { Answer, Expression } from "./expression.js";

/** Who gives an answer: an expression, of which a leaf may also be a band of numbers, with `from`, `to` or both. */
export interface DerivedExpression extends Omit<Expression, "and" | "or"> {
  /** All of these must hold. */
  and?: DerivedExpression[] | null;
  /** Any of these must hold. */
  or?: DerivedExpression[] | null;
  /** Of a band: its numbers are this or more, in the question's unit. Left out: any below `to`. */
  from?: number | null;
  /** Of a band: its numbers are below this. Left out: any from `from` on. */
  to?: number | null;
}

/** An answer of a derived question. */
export interface DerivedDatapoint {
  /** Datapoint code. */
  code: string;
  /** Name. */
  name: string;
  /** Who gives the answer, as it was sent, with suffixes as whole numbers. It may name other derived questions. */
  expression: DerivedExpression;
}

/** A question that nobody was asked, and whose answers are expressions. */
export interface Derived {
  /** Question code. */
  code: string;
  /** The deepest namespace that its expressions use; the default one if they use none. */
  namespace_code: string;
  /** Name. */
  name: string;
  /** What is meant. */
  description: string;
  /** The answers, in their order. */
  datapoints: DerivedDatapoint[];
  /** Whether all other users may use it. */
  shared: boolean;
  /** Whether it belongs to the user of the key. */
  yours: boolean;
  /** Whether its code can be named. */
  accessible: boolean;
  /** From 1; each change makes it one more. */
  version: number;
  /** When it was defined, RFC 3339, UTC. */
  created_at: string;
  /** When it was changed last, RFC 3339, UTC. */
  updated_at: string;
}

/** What of a derived question is set; what is left out stays as it is. */
export interface DerivedPatch {
  /** Question code: letters, digits, - and _. It never changes. */
  code?: string;
  /** Name, 1–255 characters; that of a new question is its code unless it is given. */
  name?: string;
  /** What is meant. */
  description?: string;
  /** The answers, in their order. They take the place of all that there are. */
  datapoints?: {
    /** Datapoint code, which no other of the question has. */
    code: string;
    /** Name. */
    name?: string;
    /** Who gives the answer. It is held against the catalogue first. */
    expression: DerivedExpression | null;
  }[];
  /** Whether all other users may use it, who may use what it reads. */
  shared?: boolean;
}

/** What a new derived question is made of. */
export type DeriveRequest = DerivedPatch & Required<Pick<DerivedPatch, "code" | "datapoints">>;

/** Which derived questions. */
export interface DerivedFilter {
  /** How many to tell at most, up to 1,000; 1,000 unless given. */
  limit?: number;
  /** How many to leave out before the first that is told. */
  offset?: number;
}

/** The derived questions of a user, and those of others that they may use. */
export type DerivedList = Answer<
  {
    /** How many there are on all pages. */
    total: number;
  },
  Derived[]
>;
