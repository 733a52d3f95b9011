package sqlite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Runs are cut into blocks of 128 words. Those of different segments share a block as long as it is less than half
// full.
func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		name string
		runs []segment
		want []block
	}{
		{"one run", []segment{{0, 100}}, []block{{{0, 100}}}},
		{"runs next to each other", []segment{{5, 100}, {105, 10}}, []block{{{5, 110}}}},
		{"runs next to each other, more than a block", []segment{{5, 100}, {105, 30}}, []block{{{5, 128}}, {{133, 2}}}},
		{"a run longer than a block", []segment{{0, 300}}, []block{{{0, 128}}, {{128, 128}}, {{256, 44}}}},
		{"short runs", []segment{{0, 10}, {20, 10}, {50, 43}, {100, 10}}, []block{{{0, 10}, {20, 10}, {50, 43}, {100, 10}}}},
		{"half a block, and another run", []segment{{0, 64}, {70, 10}}, []block{{{0, 64}}, {{70, 10}}}},
		{"less than half a block, and a long run", []segment{{0, 63}, {70, 100}}, []block{{{0, 63}, {70, 65}}, {{135, 35}}}},
		{"the rest of a long run, and another", []segment{{0, 150}, {200, 100}, {310, 100}},
			[]block{{{0, 128}}, {{128, 22}, {200, 100}}, {{310, 100}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var blocks []block
			free := 0
			for _, r := range c.runs {
				blocks, free = appendRun(blocks, free, run{word: r.word, words: r.words})
			}
			if diff := cmp.Diff(c.want, blocks, cmp.AllowUnexported(segment{})); diff != "" {
				t.Errorf("blocks (-want +got):\n%s", diff)
			}
		})
	}
}
