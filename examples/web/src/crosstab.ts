import type { Answer, Audience, Coverage, Scope } from "./expression.js";
import type { CellStatistics, StatisticsOptions } from "./statistics.js";

/** Crosses rows with columns; where there are none of either, the base takes their place. */
export interface CrosstabRequest extends Scope {
  /** Row audiences, at most 1,000. */
  rows?: Audience[];
  /** Column audiences, at most 1,000. */
  columns?: Audience[];
  /** Whom all figures are within. Left out: everyone. */
  base_audience?: Audience | null;
  /** Tell of each cell what it covers. */
  coverage?: boolean;
  /** Where all columns are waves: cut, row by row, every wave to the locations that all of them cover. */
  matched?: boolean;
  /** Tell of each cell how sure it is; compare `rest`, `previous` or `columns`. */
  statistics?: StatisticsOptions;
  /** `false` leaves `row` and `column` out of the cells, which makes large tables much shorter. */
  echo?: boolean | null;
}

/** Asks for one cell; the base takes the place of what is left out. */
export interface IntersectionRequest extends Scope {
  /** The two audiences. */
  audiences: {
    /** Row audience. */
    row?: Audience | null;
    /** Column audience. */
    column?: Audience | null;
  };
  /** Whom all figures are within. Left out: everyone. */
  base_audience?: Audience | null;
  /** Tell what the cell covers. */
  coverage?: boolean;
  /** Tell how sure the cell is; only `rest` can be compared here. */
  statistics?: StatisticsOptions;
}

/** How many people, and how many respondents stand for them. */
export interface Figure {
  /** People. */
  size: number;
  /** Respondents. */
  sample: number;
}

/** A row or column audience within the base. */
export interface CellAudience extends Figure {
  /** The audience's id; empty if it has none. */
  audience: string;
  /** Percent of the base, 0–100. */
  percentage: number;
  /** Percent, 0–100: the share of the other audience that is in this one. */
  intersect_percentage: number;
}

/** The figures of a row audience R and a column audience C within the base B, all over the same fieldwork. */
export interface Cell {
  /** The two audiences, each within the base. */
  audiences: {
    /** B∩R. Its `intersect_percentage` is the share of the column that is in the row. */
    row: CellAudience;
    /** B∩C. Its `intersect_percentage` is the share of the row that is in the column. */
    column: CellAudience;
  };
  /** The base B. A sample of 0 means that the parts of this cell were never asked together. */
  base: Figure;
  /** The cell itself: B∩R∩C. */
  intersect: Figure & {
    /** Percent of the base, 0–100. */
    percentage: number;
    /** 100 is as if row and column had nothing to do with each other, 120 is a fifth more. */
    index: number;
  };
  /** What it covers, if the request asks for it. */
  coverage?: Coverage;
  /** How sure it is, if the request asks for it. */
  statistics?: CellStatistics;
  /** True where it was measured, but tells of fewer respondents than the key may be told of: all figures are 0. */
  withheld?: boolean;
}

/** A cell of a crosstab. Row i of the request has `row_index` i+1, and so have columns; 0 is the base standing in. */
export interface CrosstabCell extends Cell {
  /** The row audience as the request wrote it; `{}` for a base that was not sent. */
  row?: Audience;
  /** The column audience as the request wrote it; `{}` for a base that was not sent. */
  column?: Audience;
  /** Which row. */
  row_index: number;
  /** Which column. */
  column_index: number;
}

/** A crosstab as one document. */
export type CrosstabAnswer = Answer<
  {
    type: "CROSSTAB";
    /** Number of cells. */
    cells: number;
  },
  CrosstabCell[]
>;

/** One cell, and what it is. */
export type IntersectionAnswer = Answer<{ type: "INTERSECTION" }, Cell>;
