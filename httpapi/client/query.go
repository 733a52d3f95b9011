package client

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"

	"github.com/crosswave/crosswave/audience"
)

// Audience is who is meant: an expression, or the id of a saved audience.
type Audience struct {
	ID         string          `json:"id,omitempty"`
	Name       string          `json:"name,omitempty"`
	Expression json.RawMessage `json:"expression,omitempty"` // see Of
}

// Of is an expression as requests have it.
func Of(x audience.Expr) json.RawMessage { return audience.Print(x) }

// Statistics asks how sure figures are; the zero Statistics asks for intervals at 95 % and compares nothing.
type Statistics struct {
	Level      float64  `json:"level,omitempty"`      // in percent, above 50 and below 100
	Compare    []string `json:"compare,omitempty"`    // rest, previous, columns, audiences, segments
	Pairs      bool     `json:"pairs,omitempty"`      // tell of every pair
	Correction string   `json:"correction,omitempty"` // none, bonferroni, holm, fdr
	LowBase    *LowBase `json:"low_base,omitempty"`
}

// LowBase is the rule by which percentages of few respondents are marked.
type LowBase struct {
	Rule     string `json:"rule,omitempty"` // sample or nchs
	Withhold int64  `json:"withhold,omitempty"`
	Caution  int64  `json:"caution,omitempty"`
}

// Scope is the fieldwork that figures are to be of.
type Scope struct {
	Waves     []string `json:"waves,omitempty"`     // codes; none: all, in a crosstab the last four
	Locations []string `json:"locations,omitempty"` // codes; none: all
}

// CrosstabRequest crosses rows with columns.
type CrosstabRequest struct {
	Rows       []Audience  `json:"rows,omitempty"`
	Columns    []Audience  `json:"columns,omitempty"`
	Base       *Audience   `json:"base_audience,omitempty"`
	Coverage   bool        `json:"coverage,omitempty"`
	Matched    bool        `json:"matched,omitempty"`
	Statistics *Statistics `json:"statistics,omitempty"`
	Echo       *bool       `json:"echo,omitempty"` // false: cells are without Row and Column
	Scope
}

// Cell is the figures of a row and a column. Row and Column are audience i−1 of the request where the index is i, and
// the base where it is 0.
type Cell struct {
	Audiences struct {
		Row    CellAudience `json:"row"`
		Column CellAudience `json:"column"`
	} `json:"audiences"`
	Base      Figure `json:"base"`
	Intersect struct {
		Figure
		Percentage float64 `json:"percentage"` // of the base, 0–100
		Index      float64 `json:"index"`
	} `json:"intersect"`
	Coverage   *Coverage       `json:"coverage,omitempty"`
	Statistics *CellStatistics `json:"statistics,omitempty"`
	Withheld   bool            `json:"withheld,omitempty"` // the key may not be told: all figures are 0

	Row         json.RawMessage `json:"row,omitempty"`
	Column      json.RawMessage `json:"column,omitempty"`
	RowIndex    *int            `json:"row_index,omitempty"` // nil of an intersection
	ColumnIndex *int            `json:"column_index,omitempty"`
}

// Figure is how many people, and how many respondents stand for them.
type Figure struct {
	Size   float64 `json:"size"`
	Sample int64   `json:"sample"`
}

// CellAudience is one of the audiences of a cell, within the base.
type CellAudience struct {
	Audience string `json:"audience"` // its id
	Figure
	Percentage          float64 `json:"percentage"`           // of the base
	IntersectPercentage float64 `json:"intersect_percentage"` // of the other audience that is in this one
}

// Coverage is what a figure covers.
type Coverage struct {
	Namespace   string   `json:"namespace"`
	Waves       []string `json:"waves"`
	Locations   []string `json:"locations"`
	Complete    bool     `json:"complete"`
	PartlyAsked []struct {
		Namespace string `json:"namespace_code"`
		Question  string `json:"question_code"`
		Datapoint string `json:"datapoint_code"`
	} `json:"partly_asked"`
	LocationsDiffer bool `json:"locations_differ,omitempty"`
}

// Interval is how sure a figure is, in its own unit. Quality is that of a percentage: ok, caution or withhold.
type Interval struct {
	StandardError float64 `json:"standard_error"`
	Low           float64 `json:"low"`
	High          float64 `json:"high"`
	Quality       string  `json:"quality,omitempty"`
}

// Difference is the difference of two figures, and its test.
type Difference struct {
	Difference    float64 `json:"difference"`
	StandardError float64 `json:"standard_error"`
	T             float64 `json:"t"`
	DF            float64 `json:"df"`
	P             float64 `json:"p"`
	AdjustedP     float64 `json:"adjusted_p"`
}

// Effective is how many respondents of equal weight would be as sure.
type Effective struct {
	Sample float64 `json:"effective_sample"`
}

// CellStatistics is how sure the figures of a cell are.
type CellStatistics struct {
	Base      Effective              `json:"base"`
	Row       CellAudienceStatistics `json:"row"`
	Column    CellAudienceStatistics `json:"column"`
	Intersect struct {
		Effective
		Size       *Interval `json:"size,omitempty"`
		Percentage *Interval `json:"percentage,omitempty"`
		Index      *Interval `json:"index,omitempty"`
	} `json:"intersect"`
	Rest     *Difference `json:"rest,omitempty"`
	Previous *Difference `json:"previous,omitempty"`
	Columns  *struct {
		HigherThan []int `json:"higher_than"` // column indexes
		LowerThan  []int `json:"lower_than"`
		Pairs      []struct {
			ColumnIndex int `json:"column_index"`
			Difference
		} `json:"pairs,omitzero"`
	} `json:"columns,omitempty"`
}

// CellAudienceStatistics is how sure the figures of one audience of a cell are.
type CellAudienceStatistics struct {
	Effective
	Percentage          *Interval `json:"percentage,omitempty"`
	IntersectPercentage *Interval `json:"intersect_percentage,omitempty"`
}

// Crosstab streams the cells, row by row, as the server forms them. An error is the last that comes: the server's, an
// *Error, before the first cell, or io.ErrUnexpectedEOF where the stream broke off.
func (c *Client) Crosstab(ctx context.Context, r CrosstabRequest) iter.Seq2[*Cell, error] {
	return func(yield func(*Cell, error) bool) {
		response, err := c.send(ctx, http.MethodPost, "/v2/query/crosstab", r, nil)
		if err != nil {
			yield(nil, err)
			return
		}
		defer response.Body.Close()
		left, err := strconv.Atoi(response.Header.Get("X-Cell-Count"))
		if err != nil {
			yield(nil, fmt.Errorf("the answer does not say how many cells there are: %w", err))
			return
		}
		cells := json.NewDecoder(bufio.NewReader(response.Body))
		for ; left > 0; left-- {
			cell := new(Cell)
			if err := cells.Decode(cell); err != nil {
				if err == io.EOF {
					err = io.ErrUnexpectedEOF
				}
				yield(nil, err)
				return
			}
			if !yield(cell, nil) {
				return
			}
		}
	}
}

// IntersectionRequest asks for one cell.
type IntersectionRequest struct {
	Audiences struct {
		Row    *Audience `json:"row,omitempty"`
		Column *Audience `json:"column,omitempty"`
	} `json:"audiences"`
	Base       *Audience   `json:"base_audience,omitempty"`
	Coverage   bool        `json:"coverage,omitempty"`
	Statistics *Statistics `json:"statistics,omitempty"`
	Scope
}

// Answer is an answer with what it is, and its data.
type Answer[M, D any] struct {
	Meta M `json:"meta"`
	Data D `json:"data"`
}

// Kind is what an answer is.
type Kind struct {
	Type string `json:"type"`
}

// Intersection asks for the figures of one row and one column.
func (c *Client) Intersection(ctx context.Context, r IntersectionRequest) (*Answer[Kind, Cell], error) {
	return call[Answer[Kind, Cell]](ctx, c, http.MethodPost, "/v2/query/intersection", r)
}
