package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/blob"
)

// What a chunk's header says of the answers to a question: of a question that one gave two answers to, but so few gave
// any that it takes a look, that they do not exclude each other; of one that all with a weight answered, in which of
// the namespaces that is so; of one with more answers than respondents, or with a single answer, nothing.
func TestSharing(t *testing.T) {
	c := &chunk{samples: []blob.Sample{{Namespace: "core", Respondents: 3}, {Namespace: "shop", Respondents: 2}}}
	c.place([]run{{location: "north", respondents: 4}})
	b := &built{chunk: c, weighed: [][]uint64{{0b0111}, {0b0110}}}
	answer := func(question int64, number int64, positions ...uint32) {
		c.columns = append(c.columns, question<<numberBits|number)
		c.counts = append(c.counts, int32(len(positions)))
		b.positions = append(b.positions, positions)
	}
	answer(1, 1, 0, 1)
	answer(1, 2, 1) // respondent 1 gave both
	answer(2, 1, 1)
	answer(2, 2, 2) // 1 and 2 are all of shop's
	answer(3, 1, 0, 3)
	answer(3, 4, 1)
	answer(3, 5, 2) // everyone gave one
	answer(4, 1, 0, 1, 2)
	answer(4, 2, 1, 2) // five answers of four respondents
	answer(5, 1, 0)    // a single one
	b.share()
	want := []blob.Sharing{{Question: 1}, {Question: 2, Exclusive: true, Complete: []int{1}},
		{Question: 3, Exclusive: true, Complete: []int{0, 1}}}
	if diff := cmp.Diff(want, c.sharing); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}

	all := func(question int64, numbers ...int64) answerSet {
		s := answerSet{question: question}
		for _, n := range numbers {
			s.columns = append(s.columns, question<<numberBits|n)
		}
		return s
	}
	for _, k := range []struct {
		name                       string
		set                        answerSet
		namespace                  string
		known, exclusive, complete bool
	}{
		{"both of a question that do not exclude each other", all(1, 1, 2), "core", true, false, false},
		{"all answers, those of another namespace left out", all(2, 1, 2), "core", true, true, false},
		{"all answers", all(2, 1, 2), "shop", true, true, true},
		{"all answers and one that nobody gave", all(3, 1, 2, 4, 5), "core", true, true, true},
		{"some of all answers", all(3, 1, 4), "core", true, true, false},
		{"more answers than respondents", all(4, 1, 2), "core", true, false, false},
	} {
		found, known := c.set(k.set, k.namespace)
		if known != k.known || found.exclusive != k.exclusive || found.complete != k.complete {
			t.Errorf("%s: known %v, %+v", k.name, known, found)
		}
	}
	if found, known := (&chunk{respondents: 4, columns: c.columns, counts: c.counts}).set(all(3, 1, 4), "core"); known {
		t.Errorf("a header that says nothing of it tells %+v", found)
	}
}

// A store of format 14, whose headers say nothing of how answers share respondents, opens and counts as before: that is
// found out when a table is asked for again.
func TestStoreOfFormat14(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	unpack(t, "testdata/format14.db.gz", path)
	s := openStore(t, path, Config{})
	f, err := s.Frame(t.Context())
	check(t, err)
	xs := datapoints(f, "core.gender")
	qs := []audience.Query{{Namespace: "core", Rows: xs, Columns: append(datapoints(f, "core.brands"), xs...),
		Strata: strata(f, false)}}
	var answers [][][]*audience.Table
	for _, follows := range []bool{false, false, true} {
		g, err := newGraph(s.current, qs, s.sliceColumn)
		check(t, err)
		if got := len(g.queries[0].rows.follows) > 0; got != follows {
			t.Errorf("asked for the %d. time, some rows follow from others: %v", len(answers)+1, got)
		}
		got, err := s.Count(t.Context(), f.Version, qs)
		check(t, err)
		answers = append(answers, got)
	}
	for _, got := range answers[1:] {
		if diff := cmp.Diff(answers[0], got); diff != "" {
			t.Error(diff)
		}
	}
	noDamage(t, s)
	for _, c := range s.current.chunks {
		if len(c.sharing) > 0 {
			t.Errorf("chunk %d of format 14 says how answers share respondents: %v", c.id, c.sharing)
		}
	}
}
