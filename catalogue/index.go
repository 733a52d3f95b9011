package catalogue

import (
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/words"
)

// index is the words of a survey's texts and where each of them stands. One index serves all callers: what one of them
// may not use is left out when it is asked, by the bits of that caller's frame.
type index struct {
	words  []string // sorted, each once, plain
	first  []int32  // of each word, its first place; one more at the end
	places []place  // of one word in the order of the survey, each once
	// codes are the questions under a plain code, with and without its namespace.
	codes map[string][]int
}

// place is where a word stands: in which text of a question, or in the name of a category.
type place struct {
	of   int32 // the question; of inCategory the category
	text uint32
}

// The texts of a question, in the upper bits of a place; the lower ones number a datapoint or a suffix.
const (
	inName uint32 = iota << 28
	inCode
	inCategory
	inDatapoint
	inSuffix
	inDescription

	textNumber = 1<<28 - 1
)

// worth is how much it counts that a word stands in a text, one more where it is a whole word of it and not only begins
// one: so the place comes before the rest of the word.
func worth(text uint32) int {
	switch text &^ textNumber {
	case inName:
		return 9
	case inCode:
		return 7
	case inCategory:
		return 5
	case inDatapoint, inSuffix:
		return 3
	}
	return 1
}

// indexing is an index being made.
type indexing struct {
	numbers map[string]int32 // of words, in the order of their first use
	found   []finding
	last    []place // of each word, where it was found last
}

type finding struct {
	word int32
	place
}

// indexed makes the index of a survey. An answer without a name goes by its code, as it is shown.
func indexed(s *audience.Survey) *index {
	in := indexing{numbers: map[string]int32{}}
	x := &index{codes: map[string][]int{}}
	for i := range s.Questions {
		q := &s.Questions[i]
		in.add(i, inName, q.Name)
		in.add(i, inCode, q.Code)
		in.add(i, inDescription, q.Description)
		for j, d := range q.Datapoints {
			text := d.Name
			if text == "" {
				text = d.Code
			}
			in.add(i, inDatapoint|uint32(j), text)
		}
		for j, suffix := range q.Suffixes {
			in.add(i, inSuffix|uint32(j), suffix.Name)
		}
		for _, code := range []string{q.Code, q.Key()} {
			code = words.Plain(code)
			x.codes[code] = append(x.codes[code], i)
		}
	}
	for i, c := range s.Categories {
		in.add(i, inCategory, c.Name)
	}
	in.sort(x)
	return x
}

// add notes where the words of a text stand.
func (in *indexing) add(of int, text uint32, texted string) {
	at := place{int32(of), text}
	for _, word := range words.Text(texted) {
		number, known := in.numbers[word]
		if !known {
			number = int32(len(in.numbers))
			in.numbers[strings.Clone(word)] = number
			in.last = append(in.last, place{of: -1})
		}
		if in.last[number] != at {
			in.last[number] = at
			in.found = append(in.found, finding{number, at})
		}
	}
}

// sort puts the words in order, and with each the places where it was found.
func (in *indexing) sort(x *index) {
	x.words = make([]string, 0, len(in.numbers))
	for word := range in.numbers {
		x.words = append(x.words, word)
	}
	slices.Sort(x.words)
	rank := make([]int32, len(x.words)) // of a word's number
	for i, word := range x.words {
		rank[in.numbers[word]] = int32(i)
	}
	x.first = make([]int32, len(x.words)+1)
	for _, f := range in.found {
		x.first[rank[f.word]+1]++
	}
	for i := range x.words {
		x.first[i+1] += x.first[i]
	}
	x.places = make([]place, len(in.found))
	next := slices.Clone(x.first)
	for _, f := range in.found {
		at := &next[rank[f.word]]
		x.places[*at] = f.place
		*at++
	}
}

// each gives every place of the words that begin with a word, and whether it is the word itself that stands there.
func (x *index) each(word string, yield func(at place, whole bool)) {
	begin, _ := slices.BinarySearch(x.words, word)
	for i := begin; i < len(x.words) && strings.HasPrefix(x.words[i], word); i++ {
		whole := len(x.words[i]) == len(word)
		for _, at := range x.places[x.first[i]:x.first[i+1]] {
			yield(at, whole)
		}
	}
}
