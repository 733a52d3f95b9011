package guess_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/survey"
)

// TestCorpus guesses what the columns of real files are and scores it against what was written down of each from its
// documents. Precision is right/read and recall right/true, where for each kind
//
//   - weight, wave, location are counted by files: read if the guess has such a column, right if the truth names it so,
//     true if the truth has one. A column that the truth names "perhaps" is not counted, nor is a wave or location
//     that it leaves open; a weight that it leaves open is wrong.
//   - multi and grid are counted by columns, and only whole questions are right. A guessed question and one of the
//     truth are the same if more than half of the columns of each are in the other; the columns in both are right.
//     Read are all columns guessed as the kind of which the truth says something. What may be either counts as a grid,
//     and is right as either.
//   - columns of multi and columns of grid are counted each for itself: right is a column of a multiple choice, or of a
//     grid, that is read as one of any, read are all that are, and true all that the truth has in one. So a question
//     that is cut, or two that are glued, are right here and wrong above.
//   - single and number are counted by columns. "single or number" counts as neither. A row of a grid, an option of a
//     multiple choice or a place that is read as a single choice lowers the recall of its own kind and no precision.
//     Numbers of a numeric grid are right as numbers, and in a grid that is whole.
//   - respondents: files that say how many there are; right if the guess finds as many.
//
// Columns that the truth leaves open count for nothing. "Dropped" are respondents whom a guessed weight would leave out
// of all figures because they have none.
//
// Each part of the corpus is scored apart, as it was added when the rules had been made for those before, and the
// columns of those that are held out are never named.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("whole files take a while")
	}
	list := corpusList(t)
	paths := corpusPaths(t, list)
	scored := map[string]*scores{}
	for _, part := range parts {
		scored[part] = &scores{}
	}
	var missing []string
	incomplete := map[string]bool{} // parts
	for i := range list {
		f := &list[i]
		path, ok := paths[f.SHA256]
		if !ok {
			missing = append(missing, f.Name)
			incomplete[f.part()] = true
			continue
		}
		s, wrong, err := scoreFile(t.Context(), path, truthOf(t, f))
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		part := f.part()
		scored[part].add(s)
		if !slices.Contains(hidden, part) && testing.Verbose() && len(wrong) > 0 {
			t.Logf("%s (%s):\n  %s", f.Name, f.Maker, strings.Join(wrong, "\n  "))
		}
	}
	t.Logf("%d of %d files; missing: %s", len(list)-len(missing), len(list), strings.Join(missing, ", "))
	refused, dropped := 0, int64(0)
	for _, part := range parts {
		t.Logf("files %s:\n%s", part, scored[part])
		refused += scored[part].refused
		dropped += scored[part].dropped
		if !incomplete[part] {
			scored[part].atLeast(t, part, leastScores[part])
		}
	}
	if len(missing) == 0 && refused > mostRefused {
		t.Errorf("%d files are refused, more than %d", refused, mostRefused)
	}
	if len(missing) == 0 && dropped > mostDropped {
		t.Errorf("%d respondents are dropped for want of a weight, more than %d", dropped, mostDropped)
	}
}

// mostRefused is how many files may be refused: four have rows with another number of fields than the header.
const mostRefused = 4

// mostDropped is how many respondents guessed weights may leave out of all figures.
const mostDropped = 0

// scoredKinds are the kinds in the order of the table.
var scoredKinds = []string{"weight", "wave", "location", "multi", "grid", columnsOf + "multi",
	columnsOf + "grid", "single", "number", "respondents"}

// columnsOf is what the kinds of questions begin with whose columns are counted each for itself.
const columnsOf = "columns of "

// score counts columns, or files.
type score struct{ right, read, all int }

// scores has a score for each kind.
type scores struct {
	of      map[string]score
	files   int
	refused int   // files for which there is no guess
	dropped int64 // respondents
}

func (s *scores) count(kind string, right, read, all int) {
	if s.of == nil {
		s.of = map[string]score{}
	}
	c := s.of[kind]
	s.of[kind] = score{c.right + right, c.read + read, c.all + all}
}

func (s *scores) add(o *scores) {
	for kind, c := range o.of {
		s.count(kind, c.right, c.read, c.all)
	}
	s.files += o.files
	s.refused += o.refused
	s.dropped += o.dropped
}

// percent is 100 where there is nothing to get wrong.
func percent(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}

func (s *scores) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-16s %9s %7s %7s %7s %7s\n", "", "precision", "recall", "right", "read", "true")
	for _, kind := range scoredKinds {
		c := s.of[kind]
		fmt.Fprintf(&b, "  %-16s %8.1f%% %6.1f%% %7d %7d %7d\n", kind, percent(c.right, c.read), percent(c.right, c.all),
			c.right, c.read, c.all)
	}
	fmt.Fprintf(&b, "  %d files, %d of them refused; %d respondents dropped", s.files, s.refused, s.dropped)
	return b.String()
}

func (s *scores) atLeast(t *testing.T, which string, least floors) {
	for _, kind := range slices.Sorted(maps.Keys(least)) {
		c := s.of[kind]
		if got := [2]float64{percent(c.right, c.read), percent(c.right, c.all)}; got[0] < least[kind][0] ||
			got[1] < least[kind][1] {
			t.Errorf("files %s: precision and recall of %s are %.1f %% and %.1f %%, below %v", which, kind, got[0], got[1],
				least[kind])
		}
	}
}

// scoreFile guesses a file and compares it with its truth. The lines tell what is wrong.
func scoreFile(ctx context.Context, path string, k *truth) (*scores, []string, error) {
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		return &scores{files: 1, refused: 1}, []string{"refused"}, nil
	}
	defer f.Close()
	names := columnNames(f)
	m, err := f.Guess(ctx, guess.Options{})
	if err != nil {
		return &scores{files: 1, refused: 1}, []string{"refused"}, nil
	}
	want, err := k.resolve(names)
	if err != nil {
		return nil, nil, err
	}
	j := &judge{names: names, want: want, got: make([]guess.Reading, len(names))}
	j.scores.files = 1
	for _, r := range m.Columns {
		if at := slices.Index(names, r.Column); at >= 0 {
			j.got[at] = r
		}
	}
	j.roles()
	j.questions()
	j.columns()
	if k.Respondents > 0 {
		j.count("respondents", btoi(m.Rows == k.Respondents), 1, 1)
		if m.Rows != k.Respondents {
			j.wrong = append(j.wrong, fmt.Sprintf("%d respondents, not %d", m.Rows, k.Respondents))
		}
	}
	for _, w := range m.Codebook.Weights {
		n, err := without(ctx, f, slices.Index(f.Table.Header(), w.Column), w.Missing)
		if err != nil {
			return nil, nil, err
		}
		if j.dropped += n; n > 0 {
			j.wrong = append(j.wrong, fmt.Sprintf("%d respondents have no weight in %s", n, w.Column))
		}
	}
	return &j.scores, j.wrong, nil
}

// columnNames are the names of the columns that a file itself has, in its order.
func columnNames(f *formats.File) []string {
	var names []string
	for _, c := range f.Columns {
		if !c.Virtual {
			names = append(names, c.Name)
		}
	}
	return names
}

// without counts the rows with nothing in a column of weights.
func without(ctx context.Context, f *formats.File, column int, missing string) (int64, error) {
	if column < 0 || missing == "one" {
		return 0, nil
	}
	var rows int64
	for block, err := range f.Table.Blocks(ctx, []int{column}) {
		if err != nil {
			return 0, err
		}
		for {
			var row survey.Row
			if err := block.Next(&row); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return 0, err
			}
			if len(row.Field(column)) == 0 {
				rows++
			}
		}
		block.Release()
	}
	return rows, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
