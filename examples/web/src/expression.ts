/** Who is meant. All that stands on one node must hold; `not` then turns it around. */
export interface Expression {
  /** All of these must hold. */
  and?: Expression[] | null;
  /** Any of these must hold. */
  or?: Expression[] | null;
  /** Everyone else, within the base. */
  not?: boolean | null;
  /** Question code, with its namespace or without; or `waves` or `locations`. */
  question?: string | null;
  /** Datapoint codes of which at least `min_count` must be answered. None: all of the question's. */
  datapoints?: string[] | null;
  /** Another name of `datapoints`; where both are sent they must list the same codes. */
  options?: string[] | null;
  /** Suffix codes of a grid: a datapoint counts with any of these. None: with any at all. Answers have numbers. */
  suffixes?: (string | number)[] | null;
  /** How many different datapoints of those listed must be answered; 1 if left out. */
  min_count?: number | null;
}

/** An expression that may have an id and a name; with an id and no expression, the saved audience of that id. */
export interface Audience {
  /** Comes back with the figures; or the id of a saved audience. */
  id?: string | null;
  /** Comes back in crosstabs. */
  name?: string | null;
  /** Who it is. */
  expression?: Expression | null;
}

/** The fieldwork that figures are to be of. */
export interface Scope {
  /** Wave codes to count. None: all that the key may use, in a crosstab the last four of them. */
  waves?: string[];
  /** Location codes to count. None: all that the key may use. */
  locations?: string[];
}

/** A datapoint that was asked in a part of what a figure covers. */
export interface AskedInPart {
  /** Namespace of the question. */
  namespace_code: string;
  /** Question code. */
  question_code: string;
  /** Datapoint code. */
  datapoint_code: string;
}

/** What a figure covers: all of its parts are counted over this. */
export interface Coverage {
  /** The namespace whose respondents and weights it is counted with. */
  namespace: string;
  /** Codes of the waves it covers, oldest first. None: it was not measured. */
  waves: string[];
  /** Codes of the locations it covers, in the survey's order. */
  locations: string[];
  /** It covers all of the requested fieldwork in which its namespace has respondents. */
  complete: boolean;
  /** The datapoints in its expressions that were not asked in all of what it covers. */
  partly_asked: AskedInPart[];
  /** There where the figure is of a trend whose waves cover different locations. */
  locations_differ?: true;
}

/** An answer with what it is, and its data. */
export interface Answer<Meta, Data> {
  meta: Meta;
  data: Data;
}
