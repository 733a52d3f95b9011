/** What insights are ordered by. */
export type InsightOrder = "name" | "published_at" | "created_at" | "updated_at" | "trending" | "popularity" | "id";

/** Which insights, and which page of them. All filters must hold; of a list, any. */
export interface InsightFilter {
  /** Which insights. Left out: all. */
  filters?: {
    /** Those in any of these categories. */
    categories?: number[];
    /** Those that are trending, or those that are not. */
    is_trending?: boolean;
    /** Those of any of these types: report, infographic, powerpoint, chart, or others in the store. */
    types?: string[];
  };
  /** How many to list, 1–100; 10 if left out. */
  limit?: number;
  /** How many to pass over first. */
  offset?: number;
  /** Direction; `asc` if left out. */
  order?: "asc" | "desc";
  /** What to order by; `id` if left out. */
  order_by?: InsightOrder;
  /** Means nothing in a request; it is there so that the paging state can be sent back. */
  total?: number;
}

/** An insight in a list. */
export interface InsightListed {
  /** Insight id. */
  id: number;
  /** Title. */
  name: string;
  /** What it says. */
  description: string;
  /** Pictures. */
  images: Image[];
}

/** An insight that was asked for by its id. */
export interface Insight extends InsightListed {
  /** Report, infographic, powerpoint, chart … */
  type: string;
  /** Ids of the categories it is in. */
  category_ids: number[];
}

/** A picture of an insight. */
export interface Image {
  /** Image id. */
  id: number;
  /** Whether it is the one to show first. */
  is_main: boolean;
  /** Where the small form is. */
  thumb_path: string;
  /** Where the form for a page is. */
  page_thumb_path: string;
  /** Where the form for a preview is. */
  page_preview_thumb_path: string;
}

/** Some of the insights that a filter finds, and the paging state. */
export interface InsightPage {
  /** The insights of this page. */
  insights: InsightListed[];
  /** As in the request, or its default. */
  limit: number;
  /** As in the request, or its default. */
  offset: number;
  /** As in the request, or its default. */
  order: "asc" | "desc";
  /** As in the request, or its default. */
  order_by: InsightOrder;
  /** How many insights the filters find, on all pages. */
  total: number;
}

/** A figure of an attribute in an audience. */
export type Metric = "percentage" | "index" | "sample" | "size";

/** Names an attribute. */
export interface AttributeKey {
  /** Namespace of the question. */
  namespace_code: string;
  /** Question code. */
  question_code: string;
  /** Datapoint code. */
  datapoint_code: string;
  /** Suffix code; empty if the question is no grid, or any suffix is meant. */
  suffix_code: string;
}

/** An attribute with its names. */
export interface InsightAttribute {
  /** The attribute. */
  attribute_key: AttributeKey;
  /** The text that was asked. */
  question_description: string;
  /** Name of the question. */
  question_name: string;
  /** Name of the datapoint. */
  datapoint_name: string;
  /** Name of the suffix; empty if there is none. */
  suffix_name: string;
  /** The attribute in words. */
  generated_text: string;
}

/** An audience that an insight is about. */
export interface InsightAudience {
  /** Id; that of a saved audience, or one of the insight's own. Empty for everyone. */
  id: string;
  /** Name. */
  title: string;
  /** Who is in it, in words. */
  description: string;
}

/** A code with its name. */
export interface NamedCode {
  code: string;
  name: string;
}

/** The figures of an attribute in an origin audience, counted now. */
export interface Calculation {
  /** The attribute. */
  attribute_key: AttributeKey;
  /** The attribute, with its names. */
  attribute: InsightAttribute;
  /** Id of the origin audience; empty for everyone. */
  audience_id: string;
  /** The origin audience. */
  audience: InsightAudience;
  /** Percent of the audience who have the attribute, 0–100. */
  percentage: number;
  /** How the audience compares with everyone; 100 is like everyone. */
  index: number;
  /** Respondents in the audience who have the attribute. */
  sample: number;
  /** People in the audience who have the attribute, rounded half away from zero. */
  size: number;
  /** True where it was measured, but tells of fewer respondents than the key may be told of: all figures are 0. */
  withheld?: boolean;
}

/** A generic insight with all it speaks of looked up and counted. */
export interface ExploreView {
  /** The insight as it was published. */
  insight: {
    /** Id of the generic insight. */
    id: string;
    /** The sentence. */
    text: string;
    /** The metrics that matter to it. */
    metrics: Metric[];
    /** What it is about. */
    origins: {
      /** Attributes, each also in words. */
      attributes: { attribute_key: AttributeKey; generated_text: string }[];
      /** Audiences. None: everyone. */
      audiences: InsightAudience[];
      /** Location codes. None: all there are. */
      locations: string[];
      /** Wave codes. None: all there are. */
      waves: string[];
      /** Dataset codes. */
      datasets: string[];
    };
  };
  /** The origin attributes, with their names. */
  attributes: InsightAttribute[];
  /** The origin audiences. */
  audiences: InsightAudience[];
  /** The figures: one entry per question and suffix of the origin attributes. */
  question_calculations: {
    /** The question. */
    question: {
      /** The text that was asked. */
      question_description: string;
      /** Its short name. */
      question_name: string;
    };
    /** Suffix code; empty if there is none. */
    suffixes: string;
    /** All metrics, those of the insight first. */
    metric_priority: Metric[];
    /** One entry per attribute and origin audience. */
    calculations: Calculation[];
  }[];
  /** The origin locations by region. */
  location_groups: {
    /** Name of the region. */
    group: string;
    /** What is in the group, also in one line. */
    details: { description: string; locations: NamedCode[] };
  }[];
  /** The origin waves by the year in which they begin, oldest first. */
  timeframe_groups: {
    /** The year; empty for waves without dates. */
    group: string;
    /** What is in the group, also in one line. */
    details: { description: string; timeframes: NamedCode[] };
  }[];
  /** The origin datasets. */
  datasets: {
    /** Name. */
    title: string;
    /** What it holds. */
    description: string;
    /** Where to read more. */
    url: string;
  }[];
}
