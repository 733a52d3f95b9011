package catalogue_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/catalogue"
)

// large is a survey of 50,000 attributes: 2,500 questions with 20 datapoints, named by some of 6,000 words, of which a
// few are in very many names.
func large() *audience.Survey {
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]string, 6000)
	for i := range list {
		list[i] = fmt.Sprintf("%c%c%céo%d", 'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26), i)
	}
	name := func(words int) string {
		var named []string
		for range words {
			named = append(named, list[min(r.IntN(len(list)), r.IntN(len(list)), r.IntN(len(list)))])
		}
		return strings.Join(named, " ")
	}
	s := &audience.Survey{Namespaces: []audience.Namespace{{Code: "core"}}}
	for i := range 2500 {
		q := audience.Question{Namespace: "core", Code: fmt.Sprintf("q%d", i), Name: name(6), Description: name(15)}
		for j := range 20 {
			q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: fmt.Sprint(j), Name: name(4)})
		}
		s.Questions = append(s.Questions, q)
		if i%25 == 0 {
			s.Categories = append(s.Categories, audience.Category{ID: fmt.Sprint(i), Name: name(2)})
		}
		c := &s.Categories[len(s.Categories)-1]
		c.Questions = append(c.Questions, q.Key())
	}
	return s
}

// BenchmarkFindFirst makes the index, finds something and tells what the index takes.
func BenchmarkFindFirst(b *testing.B) {
	s := large()
	var before, after runtime.MemStats
	var frames []*audience.Frame
	for range b.N {
		frames = append(frames, frameOf(b, s))
	}
	runtime.GC()
	runtime.ReadMemStats(&before)
	b.ResetTimer()
	for i := range b.N {
		if _, err := catalogue.New(frames[i]).Find(catalogue.QuestionFilter{Search: "no such", Limit: 1}); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(b.N)/1e6, "MB/index")
	runtime.KeepAlive(frames)
}

func BenchmarkFind(b *testing.B) {
	s := large()
	word := strings.Fields(s.Questions[1234].Name)
	f := frameOf(b, s)
	restricted := f.For(audience.Grant{Namespaces: []string{"*"}, Questions: []string{"*"}, Waves: []string{"*"},
		Locations: []string{"*"}, Datapoints: []string{"q1234:*", "q7:*"}})
	for _, test := range []struct {
		name   string
		frame  *audience.Frame
		filter catalogue.QuestionFilter
	}{
		{"word", f, catalogue.QuestionFilter{Search: word[0], Limit: 20}},
		{"words", f, catalogue.QuestionFilter{Search: word[0] + " " + word[1], Limit: 20}},
		{"letter", f, catalogue.QuestionFilter{Search: "a", Limit: 20}},
		{"letters", f, catalogue.QuestionFilter{Search: "a b c d e", Limit: 20}},
		{"letter, all of it", f, catalogue.QuestionFilter{Search: "a"}},
		{"letters, every one", f, catalogue.QuestionFilter{Search: "a b c d e f g h i j k l m n o p q r s t u v w x y z"}},
		{"letter, granted", restricted, catalogue.QuestionFilter{Search: "a", Limit: 20}},
	} {
		b.Run(test.name, func(b *testing.B) {
			c := catalogue.New(test.frame)
			total := 0
			for b.Loop() {
				found, err := c.Find(test.filter)
				if err != nil {
					b.Fatal(err)
				}
				total = found.Total
			}
			b.ReportMetric(float64(total), "found")
		})
	}
}
