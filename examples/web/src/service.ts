/** How much of something a user may keep. */
export interface Kept {
  /** How many in all. */
  limit: number;
  /** How many are left. */
  left: number;
}

/** Who asks, what they may use and how much of it. */
export interface Me {
  /** The user that the key belongs to. */
  user_id: number;
  /** The grants leave nothing out, now or later. */
  everything: boolean;
  /** The floor, in respondents: figures that tell of fewer are withheld. 0: there is none. */
  min_sample: number;
  /** Namespaces, questions, datapoints, locations and waves, in this order. */
  grants: Grant[];
  /** The limits of one request; null is none. */
  limits: {
    /** Bytes of a body. */
    body_bytes: number | null;
    /** Row audiences of a crosstab. */
    rows: number | null;
    /** Column audiences of a crosstab. */
    columns: number | null;
    /** Cells of a crosstab. */
    cells: number | null;
    /** Bytes of a response, as estimated before anything is counted. */
    response_bytes: number | null;
    /** Nodes of all expressions. */
    nodes: number | null;
    /** Levels of an expression. */
    levels: number | null;
    /** Seconds of counting. */
    query_seconds: number | null;
    /** How many long queries of the user are counted at a time. Others wait for their turn. */
    running: number | null;
    /** How many queries of the user may wait. */
    waiting: number | null;
    /** Seconds for which each of them may wait. */
    wait_seconds: number | null;
  };
  /** What is left of what a user may do over time, and keep. */
  quotas: {
    /** The rate of requests; null: it is not limited. */
    requests: {
      /** Requests a second. Those of one second may be sent at once. */
      per_second: number;
      /** How many may be sent at once now, this one taken off. */
      left: number;
    } | null;
    /** How many audiences the user may save; null: any number. */
    saved_audiences: Kept | null;
    /** How many bytes their names, descriptions, expressions and datasets may be together; null: any number. */
    saved_bytes: Kept | null;
    /** How many derived questions the user may define; null: any number. */
    derived_questions: Kept | null;
    /** How many bytes their codes, names, descriptions and expressions may be together; null: any number. */
    derived_bytes: Kept | null;
  };
  /** The version of the survey. */
  data_version: number;
}

/** One list of a key's grant. */
export interface Grant {
  /** What it lists. */
  of: "namespaces" | "questions" | "datapoints" | "locations" | "waves";
  /** As granted. `*` is all. */
  codes: string[];
  /** How many may be used, all lists taken together. */
  usable: number;
  /** How many the survey has. */
  all: number;
  /** The same for people, with the names where these are few. */
  words: string;
}

/** Whether a server is alive, or ready. */
export interface Status {
  status: "ok" | "ready";
}

/** What kind of error it is, in one word. */
export type ErrorType =
  | "invalid_json"
  | "invalid_query"
  | "empty_expression"
  | "incompatible_namespaces"
  | "too_complex"
  | "unauthorized"
  | "forbidden"
  | "quota_exceeded"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "too_slow"
  | "precondition_failed"
  | "too_large"
  | "rate_limited"
  | "storage_full"
  | "internal"
  | "timeout"
  | "overloaded"
  | "unavailable";

/** Every code of a request that may not be used, or does not exist, as the request writes it. */
export interface ForbiddenCodes {
  /** Questions, in the order of first use. */
  questions: {
    /** Question code. */
    code: string;
    /** Codes of those of its datapoints that may not be used; none is the whole question. */
    datapoints: string[];
    /** Where the request first uses it: `rows[0]`, `base_audience`, `question` … */
    origin: string;
  }[];
  /** Location codes. */
  locations: string[];
  /** Wave codes. */
  waves: string[];
}

/** An error of the endpoints that count. */
export interface QueryError {
  /** The reason, for developers; begins with the path of what is wrong. */
  error: string;
  /** The word for it. */
  error_type: ErrorType;
  /** The HTTP status. */
  code: number;
  /** The reason, for customers. */
  message: string;
}

/** Codes that may not be used, or that do not exist; which of the two is not told. */
export interface QueryForbidden extends QueryError {
  error_type: "forbidden";
  code: 403;
  meta: { forbidden_codes: ForbiddenCodes };
}

/** An error of the endpoints that read and write records, and of paths that are not there. */
export interface RecordError {
  /** The HTTP status. */
  code: number;
  /** The reason, for developers. */
  err: string;
  /** The word for it. */
  type: ErrorType;
}

/** An error of the explore view. */
export interface InsightError {
  /** The HTTP status. */
  code: number;
  /** The reason. */
  message: string;
}

/** The explore view's answer to a request without a valid key. */
export interface InsightUnauthorized {
  /** The reason. */
  message: string;
}

/** The OpenAPI document of a server. */
export interface OpenAPI {
  /** The version of OpenAPI. */
  openapi: "3.1.0";
  /** What the document is of. */
  info: Record<string, unknown>;
  /** Where the service is. */
  servers: Record<string, unknown>[];
  /** How a key is sent. */
  security: Record<string, unknown>[];
  /** The groups of endpoints. */
  tags: Record<string, unknown>[];
  /** The endpoints, by path and method. */
  paths: Record<string, Record<string, unknown>>;
  /** What they have in common. */
  components: Record<string, unknown>;
}
