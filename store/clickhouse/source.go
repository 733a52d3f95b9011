package clickhouse

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
	"github.com/crosswave/crosswave/store/survey/numbering"
)

// Source reads the published respondents back from the servers, to export them. It holds one version until Close.
//
// What comes back is what the embedded store's own Source gives: waves, locations, weights, answers, and where
// everything was asked. A respondent has its running number as its id, stands by wave and location, within them in the
// order of the imports, and counts as having answered whatever was asked there.
type Source struct {
	store    *Store
	version  *version
	survey   *audience.Survey
	layout   *survey.Layout
	segments []segment
	total    int64
}

// segment is the respondents of one import in one fieldwork.
type segment struct {
	wave, location int // index in the survey
	number         uint16
	format         Format
	apart          bool // its numbers are in columns of their own
	loc            uint16
	brought        uint64 // number of the import
	rows           int64
	first, last    uint64 // id
}

// Source opens the published respondents for reading. Describer is the embedded store's own source
// (sqlite.Store.Source), which knows the survey but has no respondents. The error is audience.ErrChanged if something
// else is published in the meantime.
func (s *Store) Source(ctx context.Context, describer survey.Source) (*Source, error) {
	f, err := s.embedded.Frame(ctx)
	if err != nil {
		return nil, err
	}
	v, err := s.hold(ctx, f.Version)
	if err != nil {
		return nil, err
	}
	out := &Source{store: s, version: v}
	if out.survey, err = describer.Describe(ctx); err == nil {
		out.layout = survey.NewLayout(out.survey)
		err = out.list(ctx)
	}
	if err == nil {
		err = s.intact(ctx, v)
	}
	if err != nil {
		err = s.settle(ctx, v, err)
	}
	if err != nil {
		s.letGo(v)
		return nil, err
	}
	return out, nil
}

// Close lets go of the version.
func (s *Source) Close() error {
	s.store.letGo(s.version)
	return nil
}

// Describe returns the survey.
func (s *Source) Describe(context.Context) (*audience.Survey, error) { return s.survey, nil }

// list finds out which segments there are and puts them in the order in which they are read.
func (s *Source) list(ctx context.Context) error {
	live := livePairs(s.version.state.Waves)
	if len(live.waves) == 0 {
		return nil
	}
	sql := fmt.Sprintf("SELECT wave, toUInt64(gen), loc, toInt64(count()), min(id), max(id) FROM %s WHERE %s GROUP "+
		"BY wave, "+
		"gen, loc", s.store.table, live.condition())
	var mu sync.Mutex
	found := map[segment]*segment{}
	err := everywhere(ctx, s.store.shards, func(ctx context.Context, _ int, sh *shard) error {
		return s.store.query(ctx, sh, sql, func(r driver.Rows) error {
			var key, x segment
			if err := r.Scan(&key.number, &key.brought, &key.loc, &x.rows, &x.first, &x.last); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			all := found[key]
			if all == nil {
				all = &segment{number: key.number, brought: key.brought, loc: key.loc, first: x.first}
				found[key] = all
			}
			all.rows, all.first, all.last = all.rows+x.rows, min(all.first, x.first), max(all.last, x.last)
			return nil
		})
	})
	if err != nil {
		return err
	}
	for _, g := range found {
		wave := slices.IndexFunc(s.version.state.Waves, func(w *wave) bool { return w.Number == g.number })
		g.wave = slices.IndexFunc(s.survey.Waves,
			func(w audience.Wave) bool { return w.Code == s.version.state.Waves[wave].Code })
		g.location = slices.IndexFunc(s.survey.Locations,
			func(l audience.Location) bool { return l.Code == s.version.state.Locations[g.loc] })
		if g.wave < 0 || g.location < 0 {
			return audience.ErrChanged
		}
		for _, p := range s.version.state.Waves[wave].Parts {
			if p.Number == g.brought {
				g.format, g.apart = p.format(), p.Apart
			}
		}
		s.segments = append(s.segments, *g)
		s.total += g.rows
	}
	slices.SortFunc(s.segments, func(a, b segment) int {
		return cmp.Or(cmp.Compare(a.wave, b.wave), cmp.Compare(a.location, b.location), cmp.Compare(a.brought, b.brought))
	})
	return nil
}

// stored is a respondent as a server gives it back.
type stored struct {
	id      uint64
	w       []int64
	e       []int32
	answers []uint32
	keys    []uint64 // of numbers: see numberKey
	values  []int64
}

// pieced takes the numbers of a respondent whose questions have columns of their own.
func (x *stored) pieced(low, middle []uint8, high []uint64) error {
	if len(low) != len(middle) || len(low) != len(high) {
		return fmt.Errorf("a respondent has pieces of %d, %d and %d numbers", len(low), len(middle), len(high))
	}
	for i := range low {
		if v, e, there := numberOf(low[i], middle[i], high[i]); there {
			x.keys, x.values = append(x.keys, numberKey(uint32(i+1), e)), append(x.values, v)
		}
	}
	return nil
}

// numberFields are the SQL expressions of a segment's numbers.
func (st *state) numberFields(g segment) []string {
	array := func(n int, name func(int) string, between, before, after string) string {
		var list []string
		for i := range n {
			list = append(list, name(i))
		}
		return before + strings.Join(list, between) + after
	}
	var fields []string
	switch n := st.groups(); {
	case n == 0:
	case g.apart:
		for piece := range pieceTypes {
			fields = append(fields, array(int(st.Numbered), func(i int) string { return pieceColumns(uint32(i + 1))[piece] },
				", ", "[", "]"))
		}
	default:
		for piece := range 2 {
			fields = append(fields, array(n, func(i int) string {
				keys, values := numberColumns(i)
				return []string{keys, values}[piece]
			}, ", ", "arrayConcat(", ")"))
		}
	}
	return fields
}

// Respondents streams the respondents, segment by segment. A batch is what all servers have of a range of ids.
func (s *Source) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	const batch = 8192
	return func(yield func(*survey.Batch, error) bool) {
		attributes, questions := s.attributes(), s.questions()
		row := int64(0)
		for _, g := range s.segments {
			answered := s.layout.Answered(s.survey, s.version.frame, s.survey.Waves[g.wave].Code,
				s.survey.Locations[g.location].Code)
			pieces := uint64(g.rows/batch + 1)
			step := (g.last-g.first)/pieces + 1
			for from := g.first; from <= g.last; from += step {
				list, err := s.read(ctx, g, from, min(from+step-1, g.last))
				if err != nil {
					yield(nil, err)
					return
				}
				b := &survey.Batch{Total: s.total}
				for _, x := range list {
					row++
					r, err := s.respondent(x, attributes, questions)
					if err != nil {
						yield(nil, err)
						return
					}
					r.Row, r.ID, r.Wave, r.Location, r.Answered = row, strconv.FormatInt(row, 10), g.wave, g.location, answered
					b.Respondents = append(b.Respondents, r)
				}
				b.Done = row
				if len(list) > 0 && !yield(b, nil) {
					return
				}
			}
		}
		if row != s.total {
			yield(nil, fmt.Errorf("the servers gave %d respondents; they have %d", row, s.total))
		}
	}
}

// read gets the respondents of a segment whose ids are within bounds, by id.
func (s *Source) read(ctx context.Context, g segment, first, last uint64) ([]stored, error) {
	st := s.version.state
	fields := []string{"id"}
	for i := range st.Namespaces {
		w, e := weightColumns(i)
		fields = append(fields, w, e)
	}
	columns := make([]string, len(st.Columns))
	for i := range columns {
		columns[i] = answerColumn(i)
	}
	if g.format == Words {
		columns = make([]string, st.words())
		for i := range columns {
			columns[i] = wordColumn(i)
		}
	}
	switch {
	case len(columns) == 0:
	case g.format == Words:
		fields = append(fields, "["+strings.Join(columns, ", ")+"]")
	default:
		fields = append(fields, "arrayConcat("+strings.Join(columns, ", ")+")")
	}
	fields = append(fields, st.numberFields(g)...)
	sql := fmt.Sprintf("SELECT %s FROM %s WHERE wave = %d AND gen = %d AND loc = %d AND id >= %d AND id <= %d",
		strings.Join(fields, ", "), s.store.table, g.number, g.brought, g.loc, first, last)
	var mu sync.Mutex
	var list []stored
	err := everywhere(ctx, s.store.shards, func(ctx context.Context, _ int, sh *shard) error {
		return s.store.query(ctx, sh, sql, func(r driver.Rows) error {
			x := stored{w: make([]int64, len(st.Namespaces)), e: make([]int32, len(st.Namespaces))}
			to := []any{&x.id}
			for i := range x.w {
				to = append(to, &x.w[i], &x.e[i])
			}
			var words []uint64
			switch {
			case len(columns) == 0:
			case g.format == Words:
				to = append(to, &words)
			default:
				to = append(to, &x.answers)
			}
			var low, middle []uint8
			var high []uint64
			switch {
			case st.groups() == 0:
			case g.apart:
				to = append(to, &low, &middle, &high)
			default:
				to = append(to, &x.keys, &x.values)
			}
			if err := r.Scan(to...); err != nil {
				return err
			}
			if err := x.pieced(low, middle, high); err != nil {
				return err
			}
			if g.format == Words {
				x.answers = attributesIn(words)
			}
			mu.Lock()
			list = append(list, x)
			mu.Unlock()
			return nil
		})
	})
	slices.SortFunc(list, func(a, b stored) int { return cmp.Compare(a.id, b.id) })
	return list, err
}

// respondent turns what is stored of a respondent into weights, answers and numbers.
func (s *Source) respondent(x stored, attributes map[uint32]int32, questions map[uint32]int) (survey.Respondent,
	error) {
	r := survey.Respondent{Weights: make([]decimal.Decimal, len(s.survey.Namespaces))}
	for i, n := range s.survey.Namespaces {
		number := s.version.state.namespace(n.Code)
		if number < 0 || x.w[number] == 0 {
			continue
		}
		d, err := decimal.Parse(fmt.Sprintf("%de%d", x.w[number], -x.e[number]), true)
		if err != nil {
			return r, err
		}
		r.Weights[i] = d
	}
	for _, number := range x.answers {
		if a, there := attributes[number]; there { // else it is of a question that the survey no longer has
			r.Attributes = append(r.Attributes, a)
		}
	}
	for i, key := range x.keys {
		number, e := splitKey(key)
		question, there := questions[number]
		if !there {
			continue
		}
		d, err := decimal.Parse(fmt.Sprintf("%de%d", x.values[i], -e), true)
		if err != nil {
			return r, err
		}
		r.Numbers = append(r.Numbers, survey.Given{Question: question, Value: d})
	}
	return r, nil
}

// questions gives the survey's questions of numbers, by index, by the numbers of theirs.
func (s *Source) questions() map[uint32]int {
	all := map[uint32]int{}
	for i := range s.survey.Questions {
		if q := s.version.state.questions[s.survey.Questions[i].Key()]; q != nil && q.Number > 0 {
			all[q.Number] = i
		}
	}
	return all
}

// attributes gives the survey's attributes by their numbers.
func (s *Source) attributes() map[uint32]int32 {
	all := map[uint32]int32{}
	for i := range s.survey.Questions {
		q := &s.survey.Questions[i]
		there := s.version.state.questions[q.Key()]
		if there == nil {
			continue
		}
		for j, d := range q.Datapoints {
			for k, suffix := range numbering.Suffixes(q) {
				if n, known := there.Points.Number(d.Code, suffix); known {
					all[n] = s.layout.Attribute(i, j, k)
				}
			}
		}
	}
	return all
}
