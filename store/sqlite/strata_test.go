package sqlite

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Runs are cut into blocks of 128 words. Short ones share a block, wherever they lie; a segment of 16 words and more
// has its own.
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
		{"short runs", []segment{{0, 10}, {20, 10}, {50, 15}}, []block{{{0, 10}, {20, 10}, {50, 15}}}},
		{"short runs, more than a block", slices.Repeat([]segment{{0, 10}, {20, 15}}, 6), []block{
			slices.Concat(slices.Repeat(block{{0, 10}, {20, 15}}, 5), block{{0, 3}}), {{3, 7}, {20, 15}}}},
		{"a long run, then short ones", []segment{{0, 16}, {20, 10}, {40, 10}}, []block{{{0, 16}}, {{20, 10}, {40, 10}}}},
		{"short runs, then a long one", []segment{{0, 10}, {20, 10}, {40, 16}}, []block{{{0, 10}, {20, 10}}, {{40, 16}}}},
		{"a short run at the end of a long one", []segment{{0, 16}, {16, 10}, {30, 10}}, []block{{{0, 26}}, {{30, 10}}}},
		{"the rest of a long run, and another", []segment{{0, 138}, {200, 20}},
			[]block{{{0, 128}}, {{128, 10}}, {{200, 20}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got cutting
			got.begin(len(c.runs))
			for _, r := range c.runs {
				got.add(run{word: r.word, words: r.words})
			}
			if diff := cmp.Diff(c.want, got.blocks, cmp.AllowUnexported(segment{})); diff != "" {
				t.Errorf("blocks (-want +got):\n%s", diff)
			}
		})
	}
}
