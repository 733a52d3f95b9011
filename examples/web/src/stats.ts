import type { Answer, Audience, Coverage, Expression, Scope } from "./expression.js";
import type { EffectiveSample, EntryStatistics, LowBase, StatisticsOptions, SummaryStatistics } from "./statistics.js";
import type { WaveStatistics } from "./statistics.js";

/** Asks for the datapoints of a question, by segment and audience. */
export interface StatsRequest extends Scope {
  /** Question code. */
  question: string;
  /** Datapoint codes to tell about. None: all of the question's. Of a summary: the one row of a grid. */
  datapoints?: string[];
  /** Suffix codes of a grid: whoever gave a datapoint with any of these counts. None: with any at all. */
  suffixes?: (string | number)[];
  /** `waves`, `locations` or a question code. Left out: no segments. */
  splitter?: string;
  /** Codes of the splitter: which segments to make. None: all. */
  segments?: string[];
  /** Each segment cuts the base, too. */
  segmented_base?: boolean;
  /** Whose answers to tell about, one after the other. None: everyone's in the base. */
  audiences?: Audience[];
  /** Whom all figures are within. Left out: everyone. */
  base_audience?: Audience | null;
  /** Tell of each figure what it covers. */
  coverage?: boolean;
  /** Tell of each entry how sure it is; compare `rest`, `previous`, `audiences` or `segments`. */
  statistics?: StatisticsOptions;
}

/** People, respondents and percentages of a datapoint D in an audience A within the base B. */
export interface Metrics {
  /** People in the audience who gave the datapoint: B∩A∩D. */
  positive_size: number;
  /** Respondents likewise. */
  positive_sample: number;
  /** How the audience compares with the base; 100 is like the base. */
  audience_index: number;
  /** Percent of the audience who gave the datapoint, 0–100. */
  audience_percentage: number;
  /** Respondents in the audience. */
  audience_sample: number;
  /** People in the audience: B∩A. */
  audience_size: number;
  /** Percent of those who gave the datapoint who are in the audience, 0–100. */
  datapoint_percentage: number;
  /** Respondents in the base who gave the datapoint. */
  datapoint_sample: number;
  /** People in the base who gave the datapoint: B∩D. */
  datapoint_size: number;
}

/** A datapoint in a segment of an audience. */
export interface StatsEntry {
  /** Datapoint code. */
  datapoint: string;
  /** Codes of the waves the figures are from, oldest first. None: it was not measured. */
  waves: string[];
  /** Code of the segment; empty without a splitter. */
  segment: string;
  /** The audience's id; empty if it has none. */
  audience: string;
  /** The suffix codes of the request. */
  suffixes: number[];
  /** The figures. */
  metrics: Metrics;
  /** What they cover, if the request asks for it. */
  coverage?: Coverage;
  /** How sure they are, if the request asks for it. */
  statistics?: EntryStatistics;
  /** True where it was measured, but tells of fewer respondents than the key may be told of: all figures are 0. */
  withheld?: boolean;
}

/** Entries: datapoints outermost, then segments, then audiences. */
export type StatsAnswer = Answer<
  {
    type: "DATAPOINTS" | "DATAPOINTS-SEGMENTS";
    /** The question code as it was sent. */
    question: string;
    /** The splitter as it was sent; empty if there is none. */
    splitter: string;
  },
  StatsEntry[]
>;

/** Asks for the numbers of a question, by segment and audience. */
export interface SummaryRequest extends StatsRequest {
  /** Which quantiles to tell, in percent, each once. None: the median, 50. */
  quantiles?: number[];
}

/** The numbers of an audience (and segment) within the base. */
export interface SummaryEntry {
  /** Code of the segment; empty without a splitter. */
  segment: string;
  /** The audience's id; empty if it has none. */
  audience: string;
  /** Codes of the waves the figures are from, oldest first. None: it was not measured. */
  waves: string[];
  /** The figures, of those who have a number; those in the question's unit are absent where nobody has one. */
  metrics: EffectiveSample & {
    /** Respondents who have a number. */
    sample: number;
    /** People they stand for. */
    size: number;
    /** Mean of people's numbers. */
    mean?: number;
    /** How far people's numbers are from their mean. Absent of one respondent. */
    standard_deviation?: number;
    /** The least number. */
    min?: number;
    /** The largest number. */
    max?: number;
    /** By percent, the smallest number that at least so many percent of people do not exceed. */
    quantiles: Record<string, number>;
  };
  /** What they cover, if the request asks for it. */
  coverage?: Coverage;
  /** How sure the mean is, if the request asks for it. */
  statistics?: SummaryStatistics;
  /** True where it was measured, but tells of fewer respondents than the key may be told of: all figures are 0. */
  withheld?: boolean;
}

/** Entries: segments outermost, then audiences. */
export type SummaryAnswer = Answer<
  {
    type: "SUMMARY";
    /** The question code as it was sent. */
    question: string;
    /** The splitter as it was sent; empty if there is none. */
    splitter: string;
    /** The unit of the numbers: years, EUR. Empty if the survey doesn't tell. */
    unit: string;
  },
  SummaryEntry[]
>;

/** Asks what sets an audience apart. */
export interface ProfileRequest extends Scope {
  /** Who is to be told apart. */
  audience: Audience | null;
  /** Whom all figures are within; the audience is compared with the rest of it. Left out: everyone. */
  base_audience?: Audience | null;
  /** Question codes to look at. None: all that the key may use. */
  questions?: string[];
  /** How many respondents the audience, and the rest of its base, must have; 30 if left out. */
  min_sample?: number;
  /** How many percent of those that stand may be expected to do so by chance; 5 if left out. */
  false_discovery?: number;
  /** What to rank by, the farthest from 100 first; `certain` if left out. */
  order_by?: "certain" | "index" | "difference";
  /** Only what the audience has more, or less, than its base; `both` if left out. */
  direction?: "over" | "under" | "both";
  /** How many attributes to tell. Left out: all. */
  limit?: number;
  /** How many of the first attributes to pass over. */
  offset?: number;
  /** Tell of each attribute what it covers. */
  coverage?: boolean;
  /** How intervals are formed and percentages marked. */
  statistics?: {
    /** Level of confidence in percent; 95 if left out. */
    level?: number;
    /** By which rule `quality` marks percentages of few respondents. */
    low_base?: LowBase;
  };
}

/** An attribute D, in the audience A within the base B. */
export interface ProfileEntry {
  /** Namespace code of the question. */
  namespace: string;
  /** Question code, without the namespace. */
  question: string;
  /** Datapoint code. */
  datapoint: string;
  /** The suffix code of a grid's attribute; else empty. */
  suffixes: number[];
  /** Codes of the waves the figures are from, oldest first. */
  waves: string[];
  /** The figures. */
  metrics: Metrics;
  /** What they cover, if the request asks for it. */
  coverage?: Coverage;
  /** The rest of the base: those of it who are not in the audience. */
  rest: EffectiveSample & {
    /** Percent of the rest who are positive, 0–100. */
    percentage: number;
  };
  /** `audience_percentage` less the percentage of the rest, in points; 0 where either is nobody. */
  difference: number;
  /** p-value of the likelihood ratio test, 0–1. Absent where nothing was tested. */
  p?: number;
  /** p-value, 0–1, corrected for all that were tested (Benjamini and Hochberg). Absent where nothing was tested. */
  adjusted_p?: number;
  /** Whether `adjusted_p` is at most `false_discovery` percent. */
  stands: boolean;
  /** How sure the figures are. */
  statistics: EntryStatistics;
  /** True where it was measured, but tells of fewer respondents than the key may be told of: all figures are 0. */
  withheld?: boolean;
}

/** Attributes, the farthest first. */
export type ProfileAnswer = Answer<
  {
    type: "PROFILE";
    /** Attributes that were measured with the audience. */
    measured: number;
    /** Of these, those that were tested. */
    tested: number;
    /** Of these, those that stand. */
    standing: number;
    /** Attributes in the direction that was asked for, of which `offset` and `limit` cut `data`. */
    ranked: number;
    /** Attributes left out, as they were never asked where the audience was. */
    unmeasured: number;
    /** Attributes left out, as their namespace shares no respondents with the audience or its base. */
    incompatible: number;
  },
  ProfileEntry[]
>;

/** A question with one answer a respondent. */
export interface AssociationAxis {
  /** Question code. */
  question: string;
  /** Of a grid: the one datapoint whose suffixes are the answers. */
  datapoints?: string[];
}

/** Asks how far two questions go together. */
export interface AssociationRequest extends Scope {
  /** The one question. */
  rows: AssociationAxis;
  /** The other. Which is which makes no difference. */
  columns: AssociationAxis;
  /** Whom to look at. Left out: everyone. */
  base_audience?: Audience | null;
  /** Tell what the figures cover. */
  coverage?: boolean;
}

/** How far two questions go together. What could not be had is absent. */
export type AssociationAnswer = Answer<
  {
    type: "ASSOCIATION";
    /** As it was sent. */
    rows: AssociationAxis;
    /** As it was sent. */
    columns: AssociationAxis;
  },
  EffectiveSample & {
    /** The statistic of the test. */
    f?: number;
    /** Degrees of freedom of `f`; not whole as a rule. */
    df?: number;
    /** Those of its denominator. */
    df_denominator?: number;
    /** The probability, 0–1, of an `f` at least as large if the questions had nothing to do with each other. */
    p?: number;
    /** From 0, where the questions do not go together at all, to 1, where the one tells the other. */
    cramers_v?: number;
    /** Respondents of the base who answered both questions. */
    sample: number;
    /** What it covers, if the request asks for it. */
    coverage?: Coverage;
    /** True where any two answers have fewer respondents in common than the key may be told of. */
    withheld?: boolean;
  }
>;

/** Asks how an audience's sample changes from wave to wave. */
export interface WaveCountsRequest extends Scope {
  /** Who the audience is. */
  expression: Expression | null;
  /** Tell of each figure what it covers. */
  coverage?: boolean;
  /** Cut all of it to the locations that are covered in every wave, so that waves compare. */
  matched?: boolean;
}

/** An audience in all waves, and in each (version 3 of the endpoint). */
export interface WaveCounts {
  /** People in all. */
  base_size: number;
  /** Respondents in all. */
  base_sample: number;
  /** Respondents in the audience. */
  audience_sample: number;
  /** People in the audience. */
  audience_size: number;
  /** Percent of people who are in the audience, 0–100. */
  audience_percentage: number;
  /** One entry per wave, oldest first; none for a wave without fieldwork for the audience. */
  per_wave_count: {
    /** Wave code. */
    code: string;
    /** Wave name. */
    name: string;
    /** Respondents in the audience in this wave. */
    sample: number;
    /** Percent of the wave's people who are in the audience, 0–100. */
    percentage: number;
    /** What it covers, if the request asks for it. */
    coverage?: Coverage;
    /** True where it was measured, but tells of fewer respondents than the key may be told of: all figures are 0. */
    withheld?: boolean;
  }[];
  /** What all of it covers, if the request asks for it. */
  coverage?: Coverage;
  /** True where the figures in all tell of fewer respondents than the key may be told of: they are 0. */
  withheld?: boolean;
}

/** What else a trend tells. */
export interface TrendOptions {
  /** Tell of each wave what it covers. */
  coverage?: boolean;
  /** Cut every wave to the locations that are covered in all of them, so that waves compare. */
  matched?: boolean;
  /** A level of confidence in percent: tell how sure each percentage is, and how it differs from the wave before. */
  statistics?: number;
}

/** An audience by wave, oldest first (version 2 of the endpoint). */
export interface Trend {
  /** One entry per wave; none for a wave without fieldwork for the audience. */
  data: {
    /** Wave code. */
    wave_code: string;
    /** Respondents in the audience in this wave. */
    total: number;
    /** Percent of the wave's people who are in the audience, 0–100. */
    percentage: number;
    /** What it covers, if that is asked for. */
    coverage?: Coverage;
    /** How sure it is, if that is asked for. */
    statistics?: WaveStatistics;
    /** True where it was measured, but tells of fewer respondents than the key may be told of: all figures are 0. */
    withheld?: boolean;
  }[];
  /** What all of it covers, if that is asked for. */
  coverage?: Coverage;
}
