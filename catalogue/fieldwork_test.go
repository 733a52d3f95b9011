package catalogue_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/catalogue"
	"github.com/google/go-cmp/cmp"
)

// All locations, in the survey's order, accessible flagged; ids default to the code; the region only where it is asked
// for.
func TestLocations(t *testing.T) {
	n := catalogue.LocationRecord{ID: "1", Code: "n", ISOCode: "NO", Name: "North", Accessible: true,
		Namespaces: []catalogue.LocationNamespace{{Code: "core", WaveCodes: []string{"w1", "w2"}},
			{Code: "shop", WaveCodes: []string{"w2"}}}}
	s := catalogue.LocationRecord{ID: "s", Code: "s", Name: "South", Accessible: true, Namespaces: n.Namespaces}
	e := catalogue.LocationRecord{ID: "e", Code: "e", Name: "East", Accessible: true,
		Namespaces: []catalogue.LocationNamespace{{Code: "core", WaveCodes: []string{"w2"}}}}
	if d := cmp.Diff([]catalogue.LocationRecord{n, s, e}, whole(t).Locations(catalogue.FieldworkFilter{},
		false)); d != "" {
		t.Error(d)
	}
	e.Accessible = false
	n.Region, s.Region, e.Region = &catalogue.RegionRecord{ID: "9", Code: "up", Name: "Upper", Area: "Land"},
		&catalogue.RegionRecord{ID: "low", Code: "low"}, &catalogue.RegionRecord{}
	if d := cmp.Diff([]catalogue.LocationRecord{n, s, e}, limited(t).Locations(catalogue.FieldworkFilter{},
		true)); d != "" {
		t.Error(d)
	}
}

func TestWaves(t *testing.T) {
	first := catalogue.WaveRecord{Code: "w1", Name: "Spring", Accessible: true, DateStart: "2024-03-01",
		Namespaces: []catalogue.WaveNamespace{{Code: "core", LocationCodes: []string{"n", "s"}}}}
	second := catalogue.WaveRecord{Code: "w2", Name: "Autumn", Accessible: true, DateStart: "2024-09-01",
		DateEnd: "2024-11-30", Kind: "half-year",
		Namespaces: []catalogue.WaveNamespace{{Code: "core", LocationCodes: []string{"n", "s", "e"}},
			{Code: "shop", LocationCodes: []string{"n", "s"}}}}
	if d := cmp.Diff([]catalogue.WaveRecord{first, second}, whole(t).Waves(catalogue.FieldworkFilter{})); d != "" {
		t.Error(d)
	}
	first.Accessible = false
	if d := cmp.Diff([]catalogue.WaveRecord{first, second}, limited(t).Waves(catalogue.FieldworkFilter{})); d != "" {
		t.Error(d)
	}
}

func TestNamespaces(t *testing.T) {
	core := catalogue.NamespaceRecord{Code: "core", Name: "Core", Description: "All.", Accessible: true,
		Universe: "average", WaveCodes: []string{"w1", "w2"}, LocationCodes: []string{"n", "s", "e"}}
	shop := catalogue.NamespaceRecord{Code: "shop", BaseNamespaceCode: "core", Universe: "sum",
		WaveCodes: []string{"w2"}, LocationCodes: []string{"n", "s"}}
	idle := catalogue.NamespaceRecord{Code: "idle", Accessible: true, Universe: "average", WaveCodes: []string{},
		LocationCodes: []string{}}
	if d := cmp.Diff([]catalogue.NamespaceRecord{core, shop, idle},
		limited(t).Namespaces(catalogue.FieldworkFilter{})); d != "" {
		t.Error(d)
	}
	// One that was fielded nowhere is found by its code, and by no wave.
	if d := cmp.Diff([]catalogue.NamespaceRecord{idle},
		limited(t).Namespaces(catalogue.FieldworkFilter{Namespaces: []string{"idle", "none"}})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]catalogue.NamespaceRecord{core},
		limited(t).Namespaces(catalogue.FieldworkFilter{Waves: []string{"w1", "w9"}})); d != "" {
		t.Error(d)
	}
}

// Records are cut to those with fieldwork in a listed namespace, wave and location, all three in one: held against
// three loops, over random fieldwork.
func TestFieldworkFilter(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	axis := func(prefix string, n int) (codes []string) {
		for i := range n {
			codes = append(codes, fmt.Sprint(prefix, i))
		}
		return codes
	}
	some := func(codes []string) (out []string) {
		if r.IntN(3) == 0 {
			return nil
		}
		for _, c := range append(slices.Clone(codes), "none") {
			if r.IntN(3) == 0 {
				out = append(out, c)
			}
		}
		return out
	}
	lists := func(filter []string, code string) bool { return len(filter) == 0 || slices.Contains(filter, code) }
	for i := range 500 {
		waves, locations, namespaces := axis("w", 1+r.IntN(4)), axis("l", 1+r.IntN(4)), axis("n", 1+r.IntN(3))
		s, coverage := &audience.Survey{}, audience.Coverage{}
		for _, c := range waves {
			s.Waves = append(s.Waves, audience.Wave{Code: c})
		}
		for _, c := range locations {
			s.Locations = append(s.Locations, audience.Location{Code: c})
		}
		for _, c := range namespaces {
			cover := audience.NewCover(len(waves) * len(locations))
			for k := range len(waves) * len(locations) {
				if r.IntN(3) > 0 {
					cover.Set(k)
				}
			}
			s.Namespaces = append(s.Namespaces, audience.Namespace{Code: c})
			coverage.Fielded = append(coverage.Fielded, cover)
		}
		frame, err := audience.NewFrame(1, s, coverage)
		if err != nil {
			t.Fatal(err)
		}
		filter := catalogue.FieldworkFilter{Namespaces: some(namespaces), Waves: some(waves), Locations: some(locations)}
		unfiltered := len(filter.Namespaces)+len(filter.Waves)+len(filter.Locations) == 0
		found := func(of func(n, w, l string) bool) bool {
			for n, ns := range namespaces {
				for w, wave := range waves {
					for l, location := range locations {
						if frame.Fielded(n).Has(frame.At(w, l)) && lists(filter.Namespaces, ns) &&
							lists(filter.Waves, wave) && lists(filter.Locations, location) && of(ns, wave, location) {
							return true
						}
					}
				}
			}
			return unfiltered
		}
		c := catalogue.New(frame)
		var want, got []string
		for _, code := range locations {
			if found(func(_, _, l string) bool { return l == code }) {
				want = append(want, code)
			}
		}
		for _, code := range waves {
			if found(func(_, w, _ string) bool { return w == code }) {
				want = append(want, code)
			}
		}
		for _, code := range namespaces {
			// by codes alone a namespace is found though it was fielded nowhere
			if lists(filter.Namespaces, code) && (len(filter.Waves)+len(filter.Locations) == 0 ||
				found(func(n, _, _ string) bool { return n == code })) {
				want = append(want, code)
			}
		}
		for _, l := range c.Locations(filter, false) {
			got = append(got, l.Code)
		}
		for _, w := range c.Waves(filter) {
			got = append(got, w.Code)
		}
		for _, n := range c.Namespaces(filter) {
			got = append(got, n.Code)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, %d: filter %+v finds %s, want %s", seed, i, filter, strings.Join(got, " "),
				strings.Join(want, " "))
		}
	}
}

func Example() {
	f, err := audience.NewFrame(1, study(), audience.Coverage{}) // in earnest the Frame of a store
	if err != nil {
		fmt.Println(err)
		return
	}
	c := catalogue.New(f)
	list, err := c.Questions(catalogue.QuestionFilter{Questions: []catalogue.QuestionCode{{Question: "use"}},
		TaxonomyPaths: true})
	for _, q := range list {
		fmt.Println(q.Name, q.AttributeCount, "attributes")
		for _, p := range q.TaxonomyPaths {
			fmt.Print(p.Dataset.Name)
			for _, c := range p.CategoriesLineage {
				fmt.Print(" > ", c.Name)
			}
			fmt.Println()
		}
	}
	fmt.Println(err)
	// Output:
	// Use 4 attributes
	// Screens > Life > Media
	// Screens > Life > Media > Screens
	// <nil>
}
