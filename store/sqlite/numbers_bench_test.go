package sqlite

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// numbersStore fills a store with as many respondents as CROSSWAVE_BENCH_RESPONDENTS says, else 100,000, who gave
// their age, and most of them what they earn, to the cent.
func numbersStore(b *testing.B) string {
	n, _ := strconv.Atoi(cmp.Or(os.Getenv("CROSSWAVE_BENCH_RESPONDENTS"), "100000"))
	path := filepath.Join(b.TempDir(), "numbers.db")
	s, err := Open(b.Context(), path, Config{})
	check(b, err)
	defer s.Close()
	band := []audience.Datapoint{{Code: "some"}}
	st := &storetest.Study{Survey: &audience.Survey{Waves: []audience.Wave{{Code: "w1"}, {Code: "w2"}},
		Locations:  []audience.Location{{Code: "uk"}, {Code: "us"}, {Code: "fr"}},
		Namespaces: []audience.Namespace{{Code: "core"}},
		Questions: []audience.Question{{Namespace: "core", Code: "age", Kind: audience.Number, Datapoints: band},
			{Namespace: "core", Code: "income", Kind: audience.Number, Datapoints: band}}}}
	rnd := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		r := survey.Respondent{Row: int64(i), ID: strconv.Itoa(i), Wave: rnd.IntN(2), Location: rnd.IntN(3),
			Weights: []decimal.Decimal{decimal.FromUnits(1000+rnd.Int64N(9000), 3)}, Answered: []uint64{3},
			Attributes: []int32{0}, Numbers: []survey.Given{{Question: 0, Value: decimal.FromInt(16 + rnd.Int64N(75))}}}
		if rnd.IntN(5) > 0 {
			r.Numbers = append(r.Numbers, survey.Given{Question: 1, Value: decimal.FromUnits(rnd.Int64N(15_000_000), 2)})
		}
		st.Respondents = append(st.Respondents, r)
	}
	begun := time.Now()
	_, err = survey.Import(b.Context(), st.Source(), s, survey.Options{})
	check(b, err)
	b.Logf("%d respondents imported in %v", n, time.Since(begun).Round(time.Millisecond))
	return path
}

// BenchmarkNumbers counts all slices of a question, which is what its sum takes, and all pairs of them, for the sum of
// squares: from memory, and from the file, with slices to be made first.
func BenchmarkNumbers(b *testing.B) {
	path := numbersStore(b)
	for i, question := range []string{"core.age", "core.income"} {
		for _, pairs := range []bool{false, true} {
			for _, cold := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s/pairs=%v/cold=%v", question, pairs, cold), func(b *testing.B) {
					s := openStore(b, path, Config{Threads: 1})
					f, err := s.Frame(b.Context())
					check(b, err)
					q := audience.Query{Namespace: "core", Strata: strata(f, false)}
					for bit := audience.AnyNumber; bit < f.Numbers(i).Bits; bit++ {
						q.Rows = append(q.Rows, audience.Slice{Question: question, Bit: bit})
					}
					if pairs {
						q.Columns = q.Rows
					}
					for b.Loop() {
						if cold {
							s.cache = newCache(s.config.CacheBytes)
						}
						_, err := s.Count(b.Context(), f.Version, []audience.Query{q})
						check(b, err)
					}
				})
			}
		}
	}
}
