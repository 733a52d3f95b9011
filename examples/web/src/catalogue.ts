/** Picks a record by its code. */
export interface CodeFilter {
  /** The code. */
  code: string;
}

/** Which questions of the catalogue, and how much of each. */
export interface QuestionFilter {
  /** Parts that are left out otherwise. */
  include?: {
    /** The categories that list the question. */
    categories?: boolean;
    /** Datapoints, and suffixes with them. */
    datapoints?: boolean;
    /** The ways from datasets down to the question. */
    taxonomy_paths?: boolean;
  };
  /** Which questions; a namespace without a question is all of its questions. None: all. */
  questions?: {
    /** Namespace. */
    namespace_code?: string;
    /** Question code. */
    question?: string;
  }[];
  /** Words that the questions must have, or the code of one. Blank: any question. */
  search?: string;
  /** How many to list, at most; 1,000 unless given, where there is a search or an offset. */
  limit?: number;
  /** How many to pass over first. */
  offset?: number;
}

/** Questions, and how they were cut where the request has a search, a limit or an offset. */
export interface QuestionPage {
  /** The questions found. */
  questions: Question[];
  /** How many of them a page has at most. */
  limit?: number;
  /** How many were passed over. */
  offset?: number;
  /** How many there are on all pages. */
  total?: number;
}

/** Where in the texts of a question the words of a search stand. */
export interface QuestionMatch {
  /** Whether one stands in its code, or it is what is searched for. */
  code: boolean;
  /** Whether one stands in its name. */
  name: boolean;
  /** Whether one stands in the text that was asked. */
  description: boolean;
  /** The categories above it in whose name one stands. */
  categories: CategoryReference[];
  /** The datapoints in whose name one stands, of those that the key may use. */
  datapoints: MatchedAnswer[];
  /** The suffixes in whose name one stands. */
  suffixes: MatchedAnswer[];
}

/** A datapoint or a suffix that a search found. */
export interface MatchedAnswer {
  /** Its code. */
  code: string;
  /** Its name. */
  name: string;
}

/** Cuts waves to those that were fielded in these namespaces and locations. */
export interface WaveFilter {
  /** Only those fielded in one of these namespaces. */
  namespaces?: CodeFilter[];
  /** Only those fielded in one of these locations. */
  locations?: CodeFilter[];
}

/** Cuts locations to those that were fielded in these namespaces and waves. */
export interface LocationFilter {
  /** Parts that are left out otherwise. */
  include?: {
    /** The region of each location. */
    regions?: boolean;
  };
  /** Only those fielded in one of these namespaces. */
  namespaces?: CodeFilter[];
  /** Only those fielded in one of these waves. */
  waves?: CodeFilter[];
}

/** Cuts namespaces to some of them, and to those that were fielded in these waves and locations. */
export interface NamespaceFilter {
  /** Only these namespaces. */
  namespaces?: CodeFilter[];
  /** Only those fielded in one of these waves. */
  waves?: CodeFilter[];
  /** Only those fielded in one of these locations. */
  locations?: CodeFilter[];
}

/** A number that an answer stands for, or its place in an order. */
export interface Value {
  /** The number; of midpoints in the question's unit. */
  value: number;
}

/** A second answer code of a grid. */
export interface Suffix {
  /** Suffix code, a whole number. */
  code: string;
  /** Name. */
  name: string;
  /** The number it stands for, in the question's unit; null if it stands for none. */
  midpoint: Value | null;
  /** Place among its like. */
  order: Value | null;
}

/** An answer of a question. */
export interface Datapoint extends Suffix {
  /** Whether the key may use it. */
  accessible: boolean;
}

/** A question of the catalogue. What the request does not include is absent; all else is there, empty if need be. */
export interface Question {
  /** Question code, without its namespace. */
  code: string;
  /** Short name. */
  name: string;
  /** The text that was asked. */
  description: string;
  /** The namespace it belongs to. */
  namespace_code: string;
  /** What midpoints are in, for questions about numbers. */
  unit: string;
  /** Whether the key may use the question; single datapoints may still be closed. */
  accessible: boolean;
  /** Datapoints times suffixes; datapoints if there are no suffixes. */
  attribute_count: number;
  /** Nobody was asked: the answers are expressions over other questions. Only where it is so. */
  derived?: true;
  /** Place among the questions, as the survey declares it; else its place in the survey, from 1. */
  order: number;
  /** Marks that the survey gives it. */
  flags: string[];
  /** Where to read more. */
  knowledge_base: string;
  /** A word to users of the question. */
  message: string;
  /** What to know when using it. */
  notice: string;
  /** What to beware of. */
  warning: string;
  /** Its answers. */
  datapoints?: Datapoint[];
  /** The second answer codes of a grid. */
  suffixes?: Suffix[];
  /** The datasets it is in. */
  datasets: Dataset[];
  /** The categories that list it; their `descendant_attributes` are those of this question. */
  categories?: Category[];
  /** The ways from its datasets down to it. */
  taxonomy_paths?: TaxonomyPath[];
  /** Where the words of the search stand. */
  match?: QuestionMatch;
}

/** What a survey is released as. */
export interface Dataset {
  /** Dataset code. */
  code: string;
  /** Name. */
  name: string;
  /** What it holds. */
  description: string;
  /** Whom its respondents stand for, in words. */
  base_audience_label: string;
  /** The namespace it is counted in. */
  base_namespace_code: string;
  /** How many datasets it is part of, one inside the other. */
  depth: number;
  /** Place among the datasets. */
  order: number;
  /** Whether it is sold to many. */
  is_syndicated: boolean;
  /** The topmost categories in it. */
  child_categories: CategoryReference[];
}

/** Names a category inside another record. */
export interface CategoryReference {
  /** Category id. */
  id: string;
  /** Name. */
  name: string;
  /** Place among its siblings. */
  order: number;
}

/** A shelf of the catalogue. Categories form trees. */
export interface Category extends CategoryReference {
  /** What it holds. */
  description: string;
  /** Attributes of all questions in it and below it, each question once. */
  attribute_count: number;
  /** The categories it is in, the topmost first. */
  lineage: CategoryReference[];
  /** The categories in it, by order. */
  child_categories: CategoryReference[];
  /** The questions it lists itself. */
  child_questions: {
    /** Namespace of the question. */
    namespace_code: string;
    /** Question code. */
    code: string;
    /** Name. */
    name: string;
  }[];
  /** The datasets it is in: its own and those of the categories above it. */
  datasets: Dataset[];
  /** The attributes of all questions in it and below it; inside a question record, those of that question. */
  descendant_attributes: Attribute[];
  /** The ways from its datasets down to it. */
  taxonomy_paths: TaxonomyPath[];
}

/** The finest thing that a respondent can be positive on. */
export interface Attribute {
  /** Namespace of the question. */
  namespace_code: string;
  /** Question code. */
  question_code: string;
  /** Name of the question. */
  question_name: string;
  /** Datapoint code. */
  datapoint_code: string;
  /** Name of the datapoint. */
  datapoint_name: string;
  /** Suffix code; empty if the question is no grid. */
  suffix_code: string;
  /** Name of the suffix; empty if there is none. */
  suffix_name: string;
}

/** A way from a dataset down to a record. */
export interface TaxonomyPath {
  /** The categories on the way, the topmost first. */
  categories_lineage: CategoryReference[];
  /** The dataset. */
  dataset: Dataset;
}

/** A market. */
export interface Location {
  /** Id; the code if the survey gives none. */
  id: string;
  /** Location code, as in queries. */
  code: string;
  /** ISO 3166 code. */
  iso_code: string;
  /** Name. */
  name: string;
  /** Whether the key may use it. */
  accessible: boolean;
  /** The namespaces it was fielded in. */
  namespaces: {
    /** Namespace. */
    code: string;
    /** The waves, oldest first. */
    wave_codes: string[];
  }[];
  /** The group of locations it is in, if included. */
  region?: {
    /** Id; the code if the survey gives none. */
    id: string;
    /** Region code. */
    code: string;
    /** Name. */
    name: string;
    /** The larger area it is in. */
    area: string;
  };
}

/** A period of fieldwork. */
export interface Wave {
  /** Wave code, as in queries. */
  code: string;
  /** Name. */
  name: string;
  /** Whether the key may use it. */
  accessible: boolean;
  /** First day, `2025-01-31`; empty if it is not known. */
  date_start: string;
  /** Last day; empty if it is not known. */
  date_end: string;
  /** Quarter, month …, as the survey calls it. */
  kind: string;
  /** The namespaces it was fielded in. */
  namespaces: {
    /** Namespace. */
    code: string;
    /** The locations, in the survey's order. */
    location_codes: string[];
  }[];
}

/** One questionnaire, with its own respondents and weights. */
export interface Namespace {
  /** Namespace code. */
  code: string;
  /** Name. */
  name: string;
  /** Who was asked. */
  description: string;
  /** Whether the key may use it. */
  accessible: boolean;
  /** The namespace it is built on, whose answers may be mixed with its own; empty if there is none. */
  base_namespace_code: string;
  /** How sizes over several waves are made: the average of the waves, or their sum. */
  universe: "average" | "sum";
  /** The waves in which it has respondents, oldest first. */
  wave_codes: string[];
  /** The locations in which it has respondents. */
  location_codes: string[];
}
