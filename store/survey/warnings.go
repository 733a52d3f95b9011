package survey

import (
	"slices"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Warning is something in a store that misleads whoever reads figures without knowing of it. Its kind says which of the
// other members it has; the others are empty. Places are codes, a question is its code with its namespace.
type Warning struct {
	Kind      WarningKind `json:"kind"`
	Namespace string      `json:"namespace,omitempty"`
	Question  string      `json:"question,omitempty"`
	Datapoint string      `json:"datapoint,omitempty"`
	Wave      string      `json:"wave,omitempty"`
	Location  string      `json:"location,omitempty"`
	Count     int64       `json:"count,omitempty"`
	Of        int64       `json:"of,omitempty"`
	People    float64     `json:"people,omitempty"` // a sum of weights
	Others    float64     `json:"others,omitempty"` // what it is compared with
}

// WarningKind is what a Warning is about.
type WarningKind string

const (
	// RowsLeftOut: Count rows of a Wave are in no figure, because their location is missing and the codebook says skip.
	// Without a Wave: because that is missing.
	RowsLeftOut WarningKind = "rows_left_out"
	// WeightZero: Count of the Of respondents of a Wave weigh 0 in every namespace, so they are in no figure.
	WeightZero WarningKind = "weight_zero"
	// UnlikeOtherWaves: the weights of a Namespace in a Wave and Location add up to People, which is less than half of or
	// more than twice Others, the median of that location's other waves. Sizes are averaged over waves, so that a soft
	// launch of one respondent halves a country. Where a location has two waves, it is told of the smaller one. A
	// namespace whose universe is a sum is not compared.
	UnlikeOtherWaves WarningKind = "unlike_other_waves"
	// FewRespondents: the sample of a Namespace in a Wave and Location, Count, is below 30.
	FewRespondents WarningKind = "few_respondents"
	// FewAnswers: Count respondents have a value for a Datapoint that has a column of its own, less than 5 % of the Of who
	// answered its Question in that Wave and Location. They make it count as asked there. Questions that are declared as
	// asked are not told of, nor multiple choices in which a gap means no, nor those of which most datapoints have
	// values of less than half, as each is put to some.
	FewAnswers WarningKind = "few_answers"
	// WeightZeroAnswers: only people of weight 0 have a value for a Question, or for a Datapoint that has a column of its
	// own, in a Wave and Location. It does not count as asked there.
	WeightZeroAnswers WarningKind = "weight_zero_answers"
	// MissedWave: a Question was asked in a Location before a Wave and after it, but not in it; without a Location: it was
	// asked nowhere in that wave. Questions that are declared as asked are not told of.
	MissedWave WarningKind = "missed_wave"
	// BandsOnly: of a Question of numbers that was answered in a Wave and Location, the bands are known and no number.
	// Figures of its numbers leave that fieldwork out. Either an earlier version of this program imported it, or its
	// source gave no numbers.
	BandsOnly WarningKind = "bands_only"
	// NotKept: of Count of the store's Of fieldwork, imported by an earlier version of this program, it is not known
	// whether there is a RowsLeftOut, WeightZero, FewAnswers or WeightZeroAnswers.
	NotKept WarningKind = "not_kept"
)

const fewRespondents = 30 // a sample below that is told of

// place is what a warning is about, without what it says of it.
func (w Warning) place() Warning {
	w.Count, w.Of, w.People, w.Others = 0, 0, 0, 0
	return w
}

// Warnings lists what will mislead in what is published: by kind, in the order of the kinds above, and each in the
// frame's order.
func (r *Release) Warnings() Warnings {
	list := Warnings{}
	if r == nil || r.Frame == nil {
		return list
	}
	list = append(list, r.leftOut()...)
	list = append(list, r.unlike()...)
	list = append(list, r.small()...)
	list = append(list, r.answers()...)
	list = append(list, missedWaves(r.Frame)...)
	list = append(list, r.withoutNumbers()...)
	kept := int64(0)
	for _, f := range r.Facts {
		if f.Noticed != nil {
			kept++
		}
	}
	if of := int64(len(r.Facts)); kept < of {
		list = append(list, Warning{Kind: NotKept, Count: of - kept, Of: of})
	}
	return list
}

// leftOut tells of rows and respondents that are in no figure, by wave.
func (r *Release) leftOut() []Warning {
	skipped, zero, all := map[string]int64{}, map[string]int64{}, map[string]int64{}
	for _, f := range r.Facts {
		all[f.Wave] += f.Respondents
		if f.Noticed != nil {
			zero[f.Wave] += f.Noticed.WeightZero
			for wave, n := range f.Noticed.Skipped {
				skipped[wave] += n
			}
		}
	}
	var rows, people []Warning
	for _, w := range r.Frame.Waves {
		if n := skipped[w.Code]; n > 0 {
			rows = append(rows, Warning{Kind: RowsLeftOut, Wave: w.Code, Count: n})
		}
		if n := zero[w.Code]; n > 0 {
			people = append(people, Warning{Kind: WeightZero, Wave: w.Code, Count: n, Of: all[w.Code]})
		}
	}
	if n := skipped[""]; n > 0 {
		rows = append(rows, Warning{Kind: RowsLeftOut, Count: n})
	}
	return append(rows, people...)
}

// unlike tells of fieldwork whose weights do not add up to what they do in the location's other waves.
func (r *Release) unlike() (list []Warning) {
	for i, n := range r.Frame.Namespaces {
		if n.Universe == audience.Sum {
			continue
		}
		for _, l := range r.Frame.Locations {
			var waves []string
			var totals []float64
			for _, f := range r.Facts {
				if f.Location != l.Code || f.Namespaces[i].Sample == 0 {
					continue
				}
				if total, err := decimal.ParseSum(f.Namespaces[i].Total); err == nil {
					waves, totals = append(waves, f.Wave), append(totals, total.Float64())
				}
			}
			for k, total := range totals {
				others := slices.Delete(slices.Clone(totals), k, k+1)
				if median, is := isUnlike(total, others); is {
					list = append(list, Warning{Kind: UnlikeOtherWaves, Namespace: n.Code, Wave: waves[k], Location: l.Code,
						People: total, Others: median})
				}
			}
		}
	}
	return list
}

// isUnlike tells whether a total is below half of or above twice the median of others, and gives that. Of an even
// number of others it must be so for both in the middle, so that one odd wave does not make the others odd.
func isUnlike(total float64, others []float64) (median float64, is bool) {
	if len(others) == 0 {
		return 0, false
	}
	slices.Sort(others)
	low, high := others[(len(others)-1)/2], others[len(others)/2]
	return low/2 + high/2, 2*total < low || len(others) > 1 && total > 2*high
}

// small tells of fieldwork with few respondents.
func (r *Release) small() (list []Warning) {
	for i, n := range r.Frame.Namespaces {
		for _, f := range r.Facts {
			if sample := f.Namespaces[i].Sample; sample > 0 && sample < fewRespondents {
				list = append(list, Warning{Kind: FewRespondents, Namespace: n.Code, Wave: f.Wave, Location: f.Location,
					Count: sample})
			}
		}
	}
	return list
}

// answers tells of datapoints with few answers, and of answers of people of weight 0 only.
func (r *Release) answers() []Warning {
	var few, zero []Warning
	for i := range r.Frame.Questions {
		q := &r.Frame.Questions[i]
		key := q.Key()
		var facts []Facts // with something to tell of the question
		for _, f := range r.Facts {
			if n := f.Noticed; n != nil && (n.FewAnswers[key] != nil || n.WeightZeroAnswers[key] != nil) {
				facts = append(facts, f)
			}
		}
		if len(facts) == 0 {
			continue
		}
		for _, d := range append([]audience.Datapoint{{}}, q.Datapoints...) {
			for _, f := range facts {
				w := Warning{Question: key, Datapoint: d.Code, Wave: f.Wave, Location: f.Location}
				if slices.Contains(f.Noticed.WeightZeroAnswers[key], d.Code) {
					w.Kind = WeightZeroAnswers
					zero = append(zero, w)
				}
				if n, there := f.Noticed.FewAnswers[key][d.Code]; there {
					w.Kind, w.Count, w.Of = FewAnswers, n, f.Answered[key]
					few = append(few, w)
				}
			}
		}
	}
	return append(few, zero...)
}

// missedWaves tells of waves that questions miss in between.
func missedWaves(f *audience.Frame) (list []Warning) {
	for i := range f.Questions {
		q := &f.Questions[i]
		if declares(q) {
			continue
		}
		fielded := f.Fielded(f.Namespace(q.Namespace))
		asked := audience.NewCover(f.Size())
		for j := range q.Datapoints {
			asked = asked.Or(f.Asked(i, j))
		}
		asked = asked.And(fielded)
		for w := 1; w < len(f.Waves)-1; w++ {
			for _, location := range missed(f, asked, fielded, w) {
				list = append(list, Warning{Kind: MissedWave, Question: q.Key(), Wave: f.Waves[w].Code, Location: location})
			}
		}
	}
	return list
}

// missed gives the codes of the locations in which something was asked before a wave and after it, but not in it; ""
// alone if it was asked nowhere in that wave, though one of its locations was fielded.
func missed(f *audience.Frame, asked, fielded audience.Cover, wave int) (locations []string) {
	here, before, after, expected := false, false, false, false
	for l, location := range f.Locations {
		earlier, later := false, false
		for w := range f.Waves {
			if asked.Has(f.At(w, l)) {
				earlier, later = earlier || w < wave, later || w > wave
			}
		}
		in := asked.Has(f.At(wave, l))
		here, before, after = here || in, before || earlier, after || later
		if in || !fielded.Has(f.At(wave, l)) {
			continue
		}
		expected = expected || earlier || later
		if earlier && later {
			locations = append(locations, location.Code)
		}
	}
	if !here && before && after && expected {
		return []string{""}
	}
	return locations
}

// warn puts into the report what will mislead in what is to be published, unless it was so before: of what the file
// brings everything is told.
func (im *importer) warn(frame *audience.Frame, facts []Facts, from map[int]int) {
	type place struct{ wave, location string }
	before, brought := map[Warning]bool{}, map[place]bool{{}: im.skipped[""] > 0}
	for _, w := range im.base.Warnings() {
		before[w.place()] = true
	}
	for at := range from {
		w, l := frame.Fieldwork(at)
		brought[place{frame.Waves[w].Code, ""}] = true
		brought[place{frame.Waves[w].Code, frame.Locations[l].Code}] = true
	}
	for _, w := range (&Release{Frame: frame, Facts: facts}).Warnings() {
		if !before[w.place()] || w.Kind != NotKept && brought[place{w.Wave, w.Location}] {
			im.report.Warnings = append(im.report.Warnings, w)
		}
	}
}

// noteSkipped notes the rows that were left out in the facts of the file's fieldwork, which are in the frame's order.
func (im *importer) noteSkipped(brought []Facts) {
	for wave, n := range im.skipped {
		at := max(0, slices.IndexFunc(brought, func(f Facts) bool { return f.Wave == wave }))
		enter(&brought[at].Noticed.Skipped, wave, n)
	}
}

// noticed is what of a fieldwork of the file may mislead and is not in its other facts, but for the rows left out.
func (im *importer) noticed(f *fieldwork) *Noticed {
	n := &Noticed{WeightZero: f.weightZero}
	items := f.items.all()
	for i, q := range im.tally.separate {
		if im.file.Questions[q.question].Kind == audience.Multi && !anyBit(f.declined, q.first, q.last) {
			continue // nobody ever says no: a gap does
		}
		few := map[string]int64{}
		for _, j := range fewAnswers(items[q.first:q.last], f.questions[i]) {
			if im.asked.covers[q.question][j] == nil {
				few[im.file.Questions[q.question].Datapoints[j].Code] = items[q.first+j]
			}
		}
		if len(few) > 0 {
			enter(&n.FewAnswers, im.file.Questions[q.question].Key(), few)
		}
	}
	for i := range im.file.Questions {
		if codes := im.unused(f, i); len(codes) > 0 {
			enter(&n.WeightZeroAnswers, im.file.Questions[i].Key(), codes)
		}
	}
	return n
}

// fewAnswers picks from the numbers of respondents with a value for each datapoint those that are above 0 and below 5 %
// of all who answered the question, if most of the others are at least half of that.
func fewAnswers(answered []int64, all int64) (few []int) {
	most, others := 0, 0
	for j, n := range answered {
		switch {
		case n == 0:
		case sparse*n < all:
			few = append(few, j)
		default:
			others++
			if 2*n >= all {
				most++
			}
		}
	}
	if 2*most <= others {
		return nil
	}
	return few
}

// unused lists the datapoints of a question that only people of weight 0 have a value for; "" alone: the whole
// question. Where nobody takes part in the namespace, there is nothing to tell.
func (im *importer) unused(f *fieldwork, question int) (codes []string) {
	q := &im.file.Questions[question]
	namespace := slices.IndexFunc(im.file.Namespaces, func(n audience.Namespace) bool { return n.Code == q.Namespace })
	if f.namespaces[namespace].sample == 0 {
		return nil
	}
	whole := true
	for j, d := range q.Datapoints {
		item, derived := im.layout.Item(question, j), im.asked.covers[question][j] == nil
		covered := f.covered[item>>6]>>(item&63)&1 != 0
		whole = whole && derived && !covered
		if derived && !covered && f.weightless[item>>6]>>(item&63)&1 != 0 {
			codes = append(codes, d.Code)
		}
	}
	if len(codes) > 0 && (whole || !q.Separate) {
		return []string{""}
	}
	return codes
}

// enter puts something into a map that is made when first needed.
func enter[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}

// people writes a sum of weights to one decimal.
func people(n float64) string {
	text := strconv.FormatFloat(n, 'f', 1, 64)
	whole, err := strconv.ParseInt(text[:len(text)-2], 10, 64)
	if err != nil {
		return text
	}
	return thousands(whole) + text[len(text)-2:]
}
