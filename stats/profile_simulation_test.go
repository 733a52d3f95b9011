package stats_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/inference"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
	"gonum.org/v1/gonum/mathext"
)

// answers are real answers and real weights of a namespace's respondents. As a survey has fewer attributes than are
// wanted, so are those who gave either of two answers, drawn at random, or both: they go with one another as answers
// do.
type answers struct {
	positive   [][]uint16 // the attributes of each respondent, ascending
	weights    []int64
	attributes int
}

// crossing says of which two answers those are who make up for missing attributes.
type crossing string

const (
	either crossing = "either of two" // as nets of a questionnaire's answers are; few are rare
	both   crossing = "both of two"   // most are rare
)

// readAnswers draws respondents from those of a source's first namespace, each once at the most unless there are too
// few.
func readAnswers(t *testing.T, source survey.Source, c crossing, respondents, attributes int) *answers {
	t.Helper()
	sv, err := source.Describe(t.Context())
	must(t, err)
	layout := survey.NewLayout(sv)
	own := map[int32]uint16{} // attributes of the first namespace
	for q := range sv.Questions {
		for d := range sv.Questions[q].Datapoints {
			for s := range max(1, len(sv.Questions[q].Suffixes)) {
				if sv.Questions[q].Namespace == sv.Namespaces[0].Code && len(own) < attributes {
					own[layout.Attribute(q, d, s)] = uint16(len(own))
				}
			}
		}
	}
	var all answers
	for batch, err := range source.Respondents(t.Context()) {
		must(t, err)
		for _, r := range batch.Respondents {
			weight := int64(math.Round(1e3 * r.Weights[0].Float64()))
			if weight <= 0 {
				continue
			}
			var list []uint16
			for _, a := range r.Attributes {
				if i, is := own[a]; is {
					list = append(list, i)
				}
			}
			all.positive, all.weights = append(all.positive, list), append(all.weights, weight)
		}
	}
	rnd := rand.New(rand.NewPCG(20_000, 5_000))
	out := &answers{attributes: attributes}
	for _, i := range drawn(rnd, len(all.weights), respondents) {
		out.positive = append(out.positive, slices.Clone(all.positive[i]))
		out.weights = append(out.weights, all.weights[i])
	}
	out.cross(rnd, c, len(own))
	return out
}

// drawn draws k of n, each once at the most, or, where there are too few, each about as often.
func drawn(rnd *rand.Rand, n, k int) (list []int) {
	for len(list) < k {
		list = append(list, rnd.Perm(n)...)
	}
	return list[:k]
}

// cross adds crossings of two of the first so many attributes.
func (a *answers) cross(rnd *rand.Rand, c crossing, own int) {
	var pairs [][2]int
	for i := own; i < a.attributes; i++ {
		pairs = append(pairs, [2]int{rnd.IntN(own), rnd.IntN(own)})
	}
	has := make([]bool, own)
	for r, list := range a.positive {
		clear(has)
		for _, i := range list {
			has[i] = true
		}
		for i, p := range pairs {
			if has[p[0]] && has[p[1]] || c == either && (has[p[0]] || has[p[1]]) {
				a.positive[r] = append(a.positive[r], uint16(own+i))
			}
		}
		slices.Sort(a.positive[r])
	}
}

// sums are of weights and of their squares: of everyone, and of those positive on each attribute.
type sums struct {
	n      int
	w, q   float64
	ws, qs []float64
	ns     []int
}

func (a *answers) sum(of []int, weights []int64, positive [][]uint16) *sums {
	s := &sums{n: len(of), ws: make([]float64, a.attributes), qs: make([]float64, a.attributes),
		ns: make([]int, a.attributes)}
	for k, r := range of {
		w := float64(weights[r])
		s.w += w
		s.q += w * w
		for _, i := range positive[k] {
			s.ws[i] += w
			s.qs[i] += w * w
			s.ns[i]++
		}
	}
	return s
}

// tests are the p-values of a profile: of the likelihood ratio, and of Student's t by linearised variances.
func (s *sums) tests(all *sums) (ratio, student []float64) {
	na, nr := s.w*s.w/s.q, (all.w-s.w)*(all.w-s.w)/(all.q-s.q)
	rest := all.w - s.w
	for i := range s.ws {
		pa, pr := s.ws[i]/s.w, (all.ws[i]-s.ws[i])/rest
		if _, p, tested := inference.LikelihoodRatio(inference.EffectiveShare{N: na, P: pa, Complement: 1 - pa},
			inference.EffectiveShare{N: nr, P: pr, Complement: 1 - pr}); tested {
			ratio = append(ratio, p)
		}
		spread := func(w, q, share, of float64) float64 {
			return (q*(1-share)*(1-share) + (of-q)*share*share) / (w * w)
		}
		n := float64(all.n)
		variance := n / (n - 1) * (spread(s.w, s.qs[i], pa, s.q) + spread(rest, all.qs[i]-s.qs[i], pr, all.q-s.q))
		if variance > 0 {
			_, p := inference.Test(pa-pr, math.Sqrt(variance), n-2)
			student = append(student, p)
		}
	}
	return ratio, student
}

// found is how many of a family stand at 5 %.
func found(ps []float64) (n int) {
	for _, p := range inference.FDR.Adjust(ps) {
		if p <= 0.05 {
			n++
		}
	}
	return n
}

// permuted is how many profiles have the same permutation of weights.
const permuted = 20

// empty makes profiles of audiences drawn at random, of whom there is nothing to be found, and tells of how many of
// them something is found: by the likelihood ratio, and by Student's t.
func (a *answers) empty(seed uint64, profiles, size int) (ratio, student float64) {
	rnd := rand.New(rand.NewPCG(seed, uint64(size)))
	everyone := drawn(rnd, len(a.weights), len(a.weights))
	slices.Sort(everyone)
	weights, all := slices.Clone(a.weights), (*sums)(nil)
	for i := range profiles {
		if i%permuted == 0 {
			rnd.Shuffle(len(weights), func(i, j int) { weights[i], weights[j] = weights[j], weights[i] })
			all = a.sum(everyone, weights, a.positive)
		}
		one, other := a.sum(a.some(rnd, size, weights)).tests(all)
		if found(one) > 0 {
			ratio++
		}
		if found(other) > 0 {
			student++
		}
	}
	return ratio / float64(profiles), student / float64(profiles)
}

// some are the arguments of sum of so many respondents, drawn at random.
func (a *answers) some(rnd *rand.Rand, size int, weights []int64) ([]int, []int64, [][]uint16) {
	of := rnd.Perm(len(a.weights))[:size]
	positive := make([][]uint16, size)
	for k, r := range of {
		positive[k] = a.positive[r]
	}
	return of, weights, positive
}

// planted is how many differences are planted in a profile.
const planted = 20

// plant makes a profile of an audience drawn at random in which so many attributes are answered more often than in
// the rest, or less often where that has no room, by as much as is findable, and returns how many of them are found,
// and how many others.
//
// What is findable: if 20 of m are found, the last of them has p ≤ α = 5 % · 20/m. A difference d of shares, p in the
// rest, has d/√((p+d)(1−p−d)/n_A + p(1−p)/n_R) as its normal deviate, n being effective samples; it is found in 99 of
// 100 cases if that is z(1−α/2) + z(0.99).
func (a *answers) plant(rnd *rand.Rand, size int) (right, wrong int) {
	everyone := drawn(rnd, len(a.weights), len(a.weights))
	slices.Sort(everyone)
	all := a.sum(everyone, a.weights, a.positive)
	of, weights, positive := a.some(rnd, size, a.weights)
	before := a.sum(of, weights, positive)
	na, nr := before.w*before.w/before.q, (all.w-before.w)*(all.w-before.w)/(all.q-before.q)
	alpha := 0.05 * planted / float64(a.attributes)
	deviate := mathext.NormalQuantile(1-alpha/2) + mathext.NormalQuantile(0.99)

	is := map[uint16]bool{}
	answer := make([][]uint16, size)
	for k := range answer {
		answer[k] = slices.Clone(positive[k])
	}
	for len(is) < planted {
		i := uint16(rnd.IntN(a.attributes))
		p := (all.ws[i] - before.ws[i]) / (all.w - before.w)
		if is[i] || p < 0.05 || p > 0.6 {
			continue
		}
		is[i] = true
		sign, d := 1.0, 0.0
		for range 200 { // until d is what it says of itself
			share := p + sign*d
			if share > 0.95 || share < 0.01 {
				sign, d = -sign, 0
				continue
			}
			d = deviate * math.Sqrt(share*(1-share)/na+p*(1-p)/nr)
		}
		for k := range answer {
			at, has := slices.BinarySearch(answer[k], i)
			switch gets := rnd.Float64() < p+sign*d; {
			case has && !gets:
				answer[k] = slices.Delete(answer[k], at, at+1)
			case !has && gets:
				answer[k] = slices.Insert(answer[k], at, i)
			}
		}
	}
	after := a.sum(of, weights, answer)
	for i := range all.ws {
		all.ws[i] += after.ws[i] - before.ws[i]
		all.qs[i] += after.qs[i] - before.qs[i]
		all.ns[i] += after.ns[i] - before.ns[i]
	}
	ratio, _ := after.tests(all)
	k := 0
	adjusted := inference.FDR.Adjust(ratio)
	for i := range all.ws {
		if all.ns[i] == 0 || all.ns[i] == all.n {
			continue
		}
		switch found := adjusted[k] <= 0.05; {
		case found && is[uint16(i)]:
			right++
		case found:
			wrong++
		}
		k++
	}
	return right, wrong
}

// sources are what real answers are taken from: the demo, and a survey that was written as an SPSS file and read again.
func sources(t *testing.T, respondents int) map[string]survey.Source {
	t.Helper()
	a, err := storetest.OpenExampleA()
	must(t, err)
	path := filepath.Join(t.TempDir(), "a.sav")
	_, err = formats.Export(t.Context(), a, path, formats.ExportOptions{})
	must(t, err)
	file, err := formats.Open(path, formats.Options{})
	must(t, err)
	t.Cleanup(func() { file.Close() })
	read, err := file.Source(file.Codebook)
	must(t, err)
	return map[string]survey.Source{"demo": demo.New(demo.Config{Respondents: respondents}), "sav": read}
}

// Of profiles with nothing to be found, with real answers and real weights, something is found in 5 % at the most, but
// for what chance makes of their number. FIGURES.md has what a whole test finds, of 1,000 profiles of 5,000 attributes
// each, of 20,000 respondents; also of attributes of which most are rare, where it is more.
func TestEmptyProfiles(t *testing.T) {
	respondents, attributes := testsize.Of(1500, 4000, 20_000), testsize.Of(200, 1000, 5000)
	profiles := testsize.Of(60, 200, 1000)
	limit := 0.05 + 2*math.Sqrt(0.05*0.95/float64(profiles))
	for name, source := range sources(t, respondents) {
		for _, c := range []crossing{either, both} {
			if (c == both || name != "demo") && !testsize.Whole() {
				continue
			}
			a := readAnswers(t, source, c, respondents, attributes)
			for _, size := range []int{50, 200, 1000} {
				ratio, student := a.empty(13, profiles, size)
				t.Logf("| %s | %s | %d | %.1f | %.1f |", name, c, size, 100*ratio, 100*student)
				if c == either && ratio > limit {
					t.Errorf("%s: something is found in %.1f %% of empty profiles of %d, more than %.1f %%", name, 100*ratio,
						size, 100*limit)
				}
				if student < ratio {
					t.Errorf("%s: Student's t finds less in empty profiles of %d: %.1f %%", name, size, 100*student)
				}
			}
		}
	}
}

// Of 20 differences that are as large as can be found, at least 18 are.
func TestPlantedDifferences(t *testing.T) {
	respondents, attributes := testsize.Of(1500, 4000, 20_000), testsize.Of(200, 1000, 5000)
	profiles := testsize.Of(5, 20, 200)
	for name, source := range sources(t, respondents) {
		a := readAnswers(t, source, either, respondents, attributes)
		rnd := rand.New(rand.NewPCG(18, 20))
		least, right, wrong := planted, 0, 0
		for range profiles {
			r, w := a.plant(rnd, min(1000, respondents/4))
			least, right, wrong = min(least, r), right+r, wrong+w
		}
		t.Logf("%s: %.2f of %d are found, %d at the least, and %.2f others", name, float64(right)/float64(profiles), planted,
			least, float64(wrong)/float64(profiles))
		if least < 18 {
			t.Errorf("%s: only %d of %d differences are found in one of %d profiles", name, least, planted, profiles)
		}
	}
}

// The p-values of the simulation are those of a profile of the same respondents.
func TestSimulatedProfiles(t *testing.T) {
	const respondents, attributes, audiences = 3000, 300, 4
	source := sources(t, respondents)["demo"]
	a := readAnswers(t, source, either, respondents, attributes)
	rnd := rand.New(rand.NewPCG(4, 300))
	everyone := drawn(rnd, respondents, respondents)
	slices.Sort(everyone)
	all := a.sum(everyone, a.weights, a.positive)
	var members [][]int
	for range audiences {
		of, _, _ := a.some(rnd, 200, a.weights)
		members = append(members, of)
	}
	st := a.store(t, members)
	for k, of := range members {
		result, err := stats.Profile(t.Context(), st, stats.ProfileQuery{Audience: called("", is("set:"+strconv.Itoa(k))),
			Questions: []string{"all"}})
		must(t, err)
		positive := make([][]uint16, len(of))
		for i, r := range of {
			positive[i] = a.positive[r]
		}
		want, _ := a.sum(of, a.weights, positive).tests(all)
		got := make([]float64, attributes)
		for e := range result.Entries() {
			i, err := strconv.Atoi(e.Datapoint)
			must(t, err)
			got[i] = -1
			if e.Tested {
				got[i] = e.P
			}
		}
		got = slices.DeleteFunc(got, func(p float64) bool { return p < 0 })
		if len(got) != len(want) || len(want) < attributes/2 {
			t.Fatalf("audience %d: %d tests instead of %d", k, len(got), len(want))
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-7*want[i] {
				t.Errorf("audience %d, test %d: p is %v instead of %v", k, i, got[i], want[i])
			}
		}
	}
}

// store holds the answers, and a question of which each audience is a datapoint.
func (a *answers) store(t *testing.T, audiences [][]int) audience.Store {
	t.Helper()
	s := &audience.Survey{Namespaces: []audience.Namespace{{Code: "core"}}, Waves: []audience.Wave{{Code: "w"}},
		Locations: []audience.Location{{Code: "l"}}, Questions: []audience.Question{
			{Namespace: "core", Code: "all", Kind: audience.Multi, Asked: everywhere},
			{Namespace: "core", Code: "set", Kind: audience.Multi, Asked: everywhere}}}
	for i, n := range []int{a.attributes, len(audiences)} {
		for d := range n {
			s.Questions[i].Datapoints = append(s.Questions[i].Datapoints, audience.Datapoint{Code: strconv.Itoa(d)})
		}
	}
	study := &storetest.Study{Survey: s}
	answered := slices.Repeat([]uint64{^uint64(0)}, (survey.NewLayout(s).Items()+63)/64)
	for i, list := range a.positive {
		r := survey.Respondent{Row: int64(i + 1), ID: fmt.Sprint(i), Answered: answered,
			Weights: []decimal.Decimal{decimal.FromInt(a.weights[i])}}
		for _, x := range list {
			r.Attributes = append(r.Attributes, int32(x))
		}
		study.Respondents = append(study.Respondents, r)
	}
	for k, of := range audiences {
		for _, r := range of {
			to := &study.Respondents[r].Attributes
			*to = append(*to, int32(a.attributes+k))
		}
	}
	db, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	must(t, study.Load(context.Background(), db))
	return db
}
