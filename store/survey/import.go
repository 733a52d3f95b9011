package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Mode is what an import does to what is stored.
type Mode int

const (
	Create  Mode = iota // fills a store that has no respondents
	Append              // adds fieldwork that the store does not have; what is stored stays
	Replace             // puts the file's respondents of some waves in the place of those that are stored
)

// Options says how to import. The zero value fills an empty store.
type Options struct {
	Mode         Mode
	ReplaceWaves []string // Replace: the codes of the waves to replace
	Strict       Strict   // what is an error that is else told of in the report
	Progress     func(Progress)
	TempDir      string // for what does not fit in memory; "" is the system's
}

// Strict is what an import takes for an error. The zero value is nothing beyond what is always one.
type Strict uint8

const (
	StrictAnswers  Strict = 1 << iota // an answer that is none of the datapoints
	StrictWarnings                    // what will mislead: see Warning; the error is a *WarningsError
	StrictAll      = StrictAnswers | StrictWarnings
)

// Progress is how far an import is.
type Progress struct {
	Respondents int64 // taken in
	Done, Total int64 // how far the file is read, in a unit of the file's choice; Total 0: not known
}

// Import reads a survey file into a store and publishes it, all of it or, with an error or a context that ends,
// nothing. Errors are *Error where a row or a column is to blame, *ConflictError where the file's survey does not fit
// the stored one, *WarningsError where warnings are errors, and audience.ErrChanged if another import was published
// first, unless the store's writer is a Follower: then this one is published on top of it.
//
// It is the one place where these rules are kept, whatever the file and whatever the engine. Respondent ids are there
// and unique in the file. Weights are finite numbers of 0 or more and below 2^40 (all of a namespace together below
// 2^62), and none above 0 becomes 0 in its namespace's unit, be it stored before or not. A question is covered in the
// fieldwork where the file declares it as asked, or where any respondent with a weight above 0 has a value; answers
// outside what is declared are dropped. Fieldwork that was stored before and stays keeps its coverage. Waves are
// ordered by start, those without after them.
func Import(ctx context.Context, src Source, st Store, o Options) (*Report, error) {
	im, err := newImporter(ctx, src, st, o)
	if err != nil {
		return nil, err
	}
	if fragile, ok := st.(Fragile); ok && len(im.base.Facts) > 0 {
		if err := fragile.Intact(ctx, im.base, im.drop); err != nil {
			return nil, err
		}
	}
	w, err := st.Begin(ctx, im.base, im.survey)
	if err != nil {
		return nil, err
	}
	err = im.read(ctx, src, w)
	err = errors.Join(err, im.ids.close())
	if err == nil {
		err = im.commit(ctx, st, w)
	}
	if err != nil {
		return nil, abort(w, err)
	}
	return im.report, nil
}

// abort gives an import up.
func abort(w Writer, err error) error {
	if failed := w.Abort(); failed != nil {
		return errors.Join(err, fmt.Errorf("giving the import up: %w", failed))
	}
	return err
}

// importer is an import under way.
type importer struct {
	options Options
	base    *Release
	drop    []string // waves of base whose respondents go

	file   *audience.Survey // as the file describes it; nil: there is no file
	layout *Layout          // of it
	survey *audience.Survey // as the store will have it
	remap  *remap

	kept   []Facts // of fieldwork that stays, with the survey's namespaces
	stored []int64 // respondents in it, by fieldwork of the file
	tally  *tally
	asked  *asked
	// rows left out, by the codes of waves; "": those without
	skipped map[string]int64
	ids     *ids
	report  *Report

	// By question of the file: its place in the report's list, from 1, and the last row there.
	unlistedAt, outsideAt []int
	outsideRow            []int64

	// What batch returns.
	out        []Respondent
	attributes []int32
	answered   []uint64
	weights    []decimal.Decimal
	numbers    []Given
}

func newImporter(ctx context.Context, src Source, st Store, o Options) (*importer, error) {
	base, err := st.Release(ctx)
	if err != nil {
		return nil, err
	}
	described, err := src.Describe(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkSurvey(described); err != nil {
		return nil, err
	}
	im := &importer{options: o, file: described, layout: NewLayout(described), report: newReport()}
	if err := im.onto(base); err != nil {
		return nil, err
	}
	im.tally = newTally(described, im.layout)
	if im.asked, err = newAsked(described, im.layout); err != nil {
		return nil, err
	}
	im.unlistedAt, im.outsideAt = make([]int, len(described.Questions)), make([]int, len(described.Questions))
	im.outsideRow = make([]int64, len(described.Questions))
	im.ids, im.skipped = newIDs(o.TempDir), map[string]int64{}
	return im, nil
}

// onto puts the import on top of a release: it forms the survey of both, and notes what stays of the release.
func (im *importer) onto(base *Release) error {
	im.base, im.kept = base, nil
	switch {
	case len(base.Facts) == 0 && im.options.Mode != Replace:
		im.survey, im.report.Changes = im.file.Clone(), []string{}
	case im.options.Mode == Create:
		return fmt.Errorf("the store holds a survey already (%s): append to it, replace a wave, or import into "+
			"a new store", describeWaves(base))
	case im.options.Mode == Append, im.options.Mode == Replace:
		if im.options.Mode == Replace {
			if err := im.replace(); err != nil {
				return err
			}
		}
		merged, changes, err := mergeSurveys(base.Frame.Survey, im.file)
		if err != nil {
			return err
		}
		im.survey, im.report.Changes = merged.Clone(), changes // what is published must not change
	default:
		return fmt.Errorf("%d is no mode of import", im.options.Mode)
	}
	audience.SortWaves(im.survey.Waves)
	im.remap = newRemap(im.file, im.survey)
	im.keep()
	im.taken()
	return nil
}

// replace checks the waves to be replaced.
func (im *importer) replace() error {
	if err := needWaves(im.base, im.options.ReplaceWaves, "replace"); err != nil {
		return err
	}
	for _, code := range im.options.ReplaceWaves {
		if !slices.ContainsFunc(im.file.Waves, func(w audience.Wave) bool { return w.Code == code }) {
			return fmt.Errorf("wave %q is to be replaced, but the file has no such wave", code)
		}
	}
	im.drop = im.options.ReplaceWaves
	im.report.Withdrawn = withdrawn(im.base, im.drop)
	return nil
}

// keep takes over the facts of fieldwork that stays.
func (im *importer) keep() {
	at := map[string]int{}
	for i, n := range im.survey.Namespaces {
		at[n.Code] = i
	}
	for _, f := range im.base.Facts {
		if slices.Contains(im.drop, f.Wave) {
			continue
		}
		all := make([]NSFacts, len(im.survey.Namespaces))
		for i, n := range f.Namespaces {
			all[at[im.base.Frame.Survey.Namespaces[i].Code]] = n
		}
		f.Namespaces = all
		im.kept = append(im.kept, f)
	}
}

// taken notes which fieldwork of the file is stored already and stays.
func (im *importer) taken() {
	im.stored = make([]int64, len(im.file.Waves)*len(im.file.Locations))
	for _, f := range im.kept {
		w := slices.IndexFunc(im.file.Waves, func(w audience.Wave) bool { return w.Code == f.Wave })
		l := slices.IndexFunc(im.file.Locations, func(l audience.Location) bool { return l.Code == f.Location })
		if w >= 0 && l >= 0 {
			im.stored[w*len(im.file.Locations)+l] = f.Respondents
		}
	}
}

// read takes in the respondents of the file.
func (im *importer) read(ctx context.Context, src Source, w Writer) error {
	for batch, err := range src.Respondents(ctx) {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		im.report.Rows += int64(len(batch.Respondents)) + batch.Skipped + batch.Empty
		im.report.Empty += batch.Empty
		im.skip(batch)
		if im.options.Strict&StrictAnswers != 0 && len(batch.Unlisted) > 0 {
			return im.strict(batch)
		}
		im.unlisted(batch.Unlisted)
		rs, err := im.batch(batch.Respondents)
		if err != nil {
			return err
		}
		if len(rs) > 0 {
			if err := w.Add(ctx, rs); err != nil {
				return err
			}
		}
		im.report.Respondents += int64(len(rs))
		if im.options.Progress != nil {
			im.options.Progress(Progress{im.report.Respondents, batch.Done, batch.Total})
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if im.report.Respondents == 0 {
		return errors.New("the file has no respondents")
	}
	if n, ok := src.(Noter); ok {
		im.report.Notes = append(im.report.Notes, n.Notes()...)
	}
	first, second, err := im.ids.duplicate()
	if err != nil {
		return err
	}
	if second > 0 {
		return &Error{Row: second, Reason: fmt.Sprintf("the respondent has the id of row %d; an id stands once in a "+
			"file", first)}
	}
	for _, code := range im.drop {
		at := slices.IndexFunc(im.file.Waves, func(w audience.Wave) bool { return w.Code == code })
		if !slices.ContainsFunc(im.tally.fieldwork[at*len(im.file.Locations):(at+1)*len(im.file.Locations)],
			func(f *fieldwork) bool { return f != nil }) {
			return fmt.Errorf("wave %q is to be replaced, but the file has no respondents of it", code)
		}
	}
	return nil
}

// skip counts the rows of a batch that were left out.
func (im *importer) skip(batch *Batch) {
	im.report.Skipped += batch.Skipped
	unknown := batch.Skipped
	for i, n := range batch.SkippedOf {
		if n > 0 {
			im.skipped[im.file.Waves[i].Code] += n
			unknown -= n
		}
	}
	if unknown > 0 {
		im.skipped[""] += unknown
	}
}

// strict is the error for the first value of a batch that is none of the datapoints, unless an earlier row is wrong in
// itself.
func (im *importer) strict(batch *Batch) error {
	first := slices.MinFunc(batch.Unlisted, func(a, b Unlisted) int { return cmp.Compare(a.Row, b.Row) })
	for i := range batch.Respondents {
		if r := &batch.Respondents[i]; r.Row < first.Row {
			if err := im.check(r); err != nil {
				return err
			}
		}
	}
	return &Error{Row: first.Row, Column: first.Column,
		Reason: fmt.Sprintf("the value %q is none of the datapoints of question %q",
			Clip([]byte(first.Value)), im.file.Questions[first.Question].Key())}
}

// batch checks respondents, adds them to the tally and numbers them as the store does. What it returns is good until
// the next call.
func (im *importer) batch(rs []Respondent) ([]Respondent, error) {
	im.out, im.attributes, im.answered, im.weights = im.out[:0], im.attributes[:0], im.answered[:0], im.weights[:0]
	im.numbers = im.numbers[:0]
	for i := range rs {
		r := rs[i]
		if err := im.check(&r); err != nil {
			return nil, err
		}
		fieldwork := r.Wave*len(im.file.Locations) + r.Location
		if o := im.asked.at(fieldwork); o != nil {
			im.cut(&r, fieldwork, o)
		}
		if err := im.fit(&r); err != nil {
			return nil, err
		}
		im.tally.add(&r, r.Answered)
		im.renumber(&r)
		im.out = append(im.out, r)
	}
	return im.out, nil
}

// check sees to it that a respondent can be taken in.
func (im *importer) check(r *Respondent) error {
	if r.ID == "" {
		return &Error{Row: r.Row, Reason: "the respondent has no id"}
	}
	if len(r.Weights) != len(im.file.Namespaces) {
		return fmt.Errorf("row %d: %d weights for %d namespaces", r.Row, len(r.Weights), len(im.file.Namespaces))
	}
	for i, w := range r.Weights {
		if w.Sign() < 0 {
			return &Error{Row: r.Row, Reason: fmt.Sprintf("the weight %s of namespace %q is negative; a weight is 0 "+
				"or more", w, im.file.Namespaces[i].Code)}
		}
		if decimal.TooLarge(w) {
			return &Error{Row: r.Row, Reason: fmt.Sprintf("the weight %s of namespace %q is too large: %v", w,
				im.file.Namespaces[i].Code, decimal.ErrLargest)}
		}
	}
	fieldwork := r.Wave*len(im.file.Locations) + r.Location
	if n := im.stored[fieldwork]; n > 0 {
		return &Error{Row: r.Row, Reason: im.twice(fieldwork, n)}
	}
	return im.ids.add(r.ID, r.Row)
}

// cut drops the answers of a respondent that are outside what is declared as asked.
func (im *importer) cut(r *Respondent, fieldwork int, o *outside) {
	first := len(im.answered)
	for i, word := range r.Answered {
		for beyond := word & o.items[i]; beyond != 0; beyond &= beyond - 1 {
			item := i<<6 + bits.TrailingZeros64(beyond)
			im.outside(im.asked.asItem[item], r.Row, fieldwork)
		}
		im.answered = append(im.answered, word&^o.items[i])
	}
	r.Answered = im.answered[first:len(im.answered):len(im.answered)]
	first = len(im.attributes)
	for _, a := range r.Attributes {
		if o.attributes[a>>6]>>(a&63)&1 != 0 {
			im.outside(im.asked.questions[a], r.Row, fieldwork)
			continue
		}
		im.attributes = append(im.attributes, a)
	}
	r.Attributes = im.attributes[first:len(im.attributes):len(im.attributes)]
	first = len(im.numbers)
	for _, n := range r.Numbers {
		if item := im.layout.Item(n.Question, 0); o.items[item>>6]>>(item&63)&1 == 0 {
			im.numbers = append(im.numbers, n)
		}
	}
	r.Numbers = im.numbers[first:len(im.numbers):len(im.numbers)]
}

// renumber gives a respondent the numbers of the merged survey.
func (im *importer) renumber(r *Respondent) {
	m := im.remap
	r.Wave, r.Location = m.waves[r.Wave], m.locations[r.Location]
	if m.same {
		return
	}
	first := len(im.weights)
	im.weights = append(im.weights, make([]decimal.Decimal, m.weights)...)
	for i, w := range r.Weights {
		im.weights[first+m.namespaces[i]] = w
	}
	r.Weights = im.weights[first:len(im.weights):len(im.weights)]
	first = len(im.attributes)
	for _, a := range r.Attributes {
		im.attributes = append(im.attributes, m.attributes[a])
	}
	r.Attributes = im.attributes[first:len(im.attributes):len(im.attributes)]
	first = len(im.numbers)
	for _, n := range r.Numbers {
		im.numbers = append(im.numbers, Given{m.questions[n.Question], n.Value})
	}
	r.Numbers = im.numbers[first:len(im.numbers):len(im.numbers)]
	first = len(im.answered)
	im.answered = append(im.answered, make([]uint64, m.words)...)
	for i, word := range r.Answered {
		for ; word != 0; word &= word - 1 {
			item := m.items[i<<6+bits.TrailingZeros64(word)]
			im.answered[first+int(item>>6)] |= 1 << (item & 63)
		}
	}
	r.Answered = im.answered[first:len(im.answered):len(im.answered)]
}
