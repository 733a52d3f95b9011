/** What to tell of how sure figures are. `{}` asks for intervals at 95 % and compares nothing. */
export interface StatisticsOptions {
  /** Level of confidence in percent, above 50 and below 100; 95 if left out. */
  level?: number;
  /** What to compare: `columns` of crosstabs, `audiences` and `segments` of statistics and summaries, at most 60. */
  compare?: ("rest" | "previous" | "columns" | "audiences" | "segments")[];
  /** Tell of every pair that was compared, beside which of the others are lower and higher. */
  pairs?: boolean;
  /** How p-values are corrected for the number of tests in their family; `none` if left out. */
  correction?: "none" | "bonferroni" | "holm" | "fdr";
  /** By which rule `quality` marks percentages of few respondents. */
  low_base?: LowBase;
}

/** The rule by which percentages of few respondents are marked. The figures themselves always come. */
export interface LowBase {
  /** `sample`, the default, goes by respondents; `nchs` by the US National Center for Health Statistics. */
  rule?: "sample" | "nchs";
  /** Below so many respondents a percentage is better not published; 30 if left out. Only with `sample`. */
  withhold?: number;
  /** Below so many respondents a percentage is read with caution; 100 if left out. Only with `sample`. */
  caution?: number;
}

/** How a percentage of few respondents is to be read: as it is, with caution, or better not published at all. */
export type Quality = "ok" | "caution" | "withhold";

/** How sure a size, an index or a mean is, in its own unit: people, index points, or that of the numbers. */
export interface Interval {
  /** Standard error, in the unit of the figure. */
  standard_error: number;
  /** Low end of the interval of confidence. Of a size it may be below 0. */
  low: number;
  /** High end of the interval of confidence. */
  high: number;
}

/** How sure a percentage is, in percent, 0–100. Absent of a percentage of nobody, which is to be withheld, too. */
export interface PercentageInterval {
  /** Standard error, in percentage points. */
  standard_error: number;
  /** Low end of the interval of confidence (Korn and Graubard), in percent. */
  low: number;
  /** High end of the interval of confidence, in percent. */
  high: number;
  /** How the percentage is to be read. */
  quality: Quality;
}

/** The difference between two percentages, or two means, and its test. Absent where it could not be tested. */
export interface Difference {
  /** This one less the other, in percentage points; of means in the unit of the numbers. */
  difference: number;
  /** Standard error of the difference, likewise. Respondents who are in both count as such. */
  standard_error: number;
  /** `difference` / `standard_error`. */
  t: number;
  /** Degrees of freedom of Student's t. */
  df: number;
  /** Two-sided p-value, 0–1, as of a test that stands alone. */
  p: number;
  /** p-value, 0–1, corrected for the tests of its family; the same as `p` without a correction. */
  adjusted_p: number;
}

/** What the weights leave of a sample. */
export interface EffectiveSample {
  /** How many respondents of equal weight would be as sure (Kish); 0 of nobody. */
  effective_sample: number;
}

/** The difference from another audience. */
export interface AudiencePair extends Difference {
  /** Id of the other audience. */
  audience: string;
}

/** The difference from another segment. */
export interface SegmentPair extends Difference {
  /** Code of the other segment. */
  segment: string;
}

/** Which others differ significantly: by ids of audiences, or codes of segments. */
export interface Compared<Pair> {
  /** Those that this one is significantly above. A pair with a share of 0, or one to withhold, is never significant. */
  higher_than: string[];
  /** Those that this one is significantly below. */
  lower_than: string[];
  /** Every pair that could be compared, if the request asks for `pairs`. */
  pairs?: Pair[];
}

/** How sure the figures of a row or a column of a cell are. */
export interface CellAudienceStatistics extends EffectiveSample {
  /** Of its percentage of the base, 0–100. */
  percentage?: PercentageInterval;
  /** Of its `intersect_percentage`, 0–100. */
  intersect_percentage?: PercentageInterval;
}

/** How sure the figures of a cell are. The members are named as the figures are. */
export interface CellStatistics {
  /** Of the base. */
  base: EffectiveSample;
  /** Of the row audience. */
  row: CellAudienceStatistics;
  /** Of the column audience. */
  column: CellAudienceStatistics;
  /** Of both. */
  intersect: EffectiveSample & {
    /** Of the size, in people. */
    size?: Interval;
    /** Of the percentage, 0–100. */
    percentage?: PercentageInterval;
    /** Of the index. Absent where the row, the column or both are nobody. */
    index?: Interval;
  };
  /** The row's share of the column less its share of the rest of the base, in percentage points. */
  rest?: Difference;
  /** The row's share of the column less its share of the column before, as they were sent. */
  previous?: Difference;
  /** The row's share of the column compared with its share of each other column, by their `column_index`. */
  columns?: {
    /** Each column that this one is significantly above. */
    higher_than: number[];
    /** Each column that this one is significantly below. */
    lower_than: number[];
    /** Every pair that could be compared, if the request asks for `pairs`. */
    pairs?: ColumnPair[];
  };
}

/** The difference from another column. */
export interface ColumnPair extends Difference {
  /** The other column. */
  column_index: number;
}

/** How sure the metrics of an entry are. The members are named as the metrics are. */
export interface EntryStatistics {
  /** Of the base. */
  base: EffectiveSample;
  /** Of those in the audience who gave the datapoint. */
  positive: EffectiveSample;
  /** Of the audience. */
  audience: EffectiveSample;
  /** Of those in the base who gave the datapoint. */
  datapoint: EffectiveSample;
  /** Of `audience_percentage`, 0–100. */
  audience_percentage?: PercentageInterval;
  /** Of `datapoint_percentage`, 0–100. */
  datapoint_percentage?: PercentageInterval;
  /** Of `audience_index`. Absent where the audience, the datapoint or both are nobody. */
  audience_index?: Interval;
  /** `audience_percentage` less the share of the rest of the base who gave the datapoint. */
  rest?: Difference;
  /** `audience_percentage` less that of the same audience in the segment before. */
  previous?: Difference;
  /** `audience_percentage` compared with that of the other audiences in the segment. */
  audiences?: Compared<AudiencePair>;
  /** `audience_percentage` compared with that of the same audience in the other segments. */
  segments?: Compared<SegmentPair>;
}

/** How sure the mean of an entry is, in the unit of the numbers. */
export interface SummaryStatistics {
  /** Of the mean. Absent where nobody has a number. */
  mean?: Interval;
  /** The mean less that of the rest of the base. */
  rest?: Difference;
  /** The mean less that of the same audience in the segment before. */
  previous?: Difference;
  /** The mean compared with that of the other audiences in the segment. */
  audiences?: Compared<AudiencePair>;
  /** The mean compared with that of the same audience in the other segments. */
  segments?: Compared<SegmentPair>;
}

/** How sure the percentage of a wave is. */
export interface WaveStatistics extends EffectiveSample {
  /** Of the percentage, 0–100. */
  percentage?: PercentageInterval;
  /** The percentage less that of the wave before that was measured. Absent for the first. */
  previous?: Difference;
}
