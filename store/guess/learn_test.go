package guess_test

import (
	"crypto/sha256"
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crosswave/crosswave/internal/forest"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
)

var learn = flag.Bool("learn", false, "write together.forest, learnt from the files that CROSSWAVE_CORPUS holds")

// lesson is what the pairs of columns of one file are.
type lesson struct {
	name     string
	examples []forest.Example
}

// manyTrees are what grows the forest. Of what was tried, by fifths of the files, they lose least: the package's own
// half as many lose more, and so do half as many ends again, and half as many trees again that each doubt more.
var manyTrees = forest.Options{Trees: 400, Ends: 16, Pace: 0.05}

// TestLearn learns what columns of one question have in common from the truths of all files but the hidden ones, and
// tells how well that does on files that it was not learnt from: those of each fifth by the other four. With -learn it
// writes the forest. A file counts as the root of its pairs, so that those with hundreds of columns do not decide
// alone.
func TestLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("whole files take a while")
	}
	list := corpusList(t)
	paths := corpusPaths(t, list)
	if os.Getenv("CROSSWAVE_CORPUS") == "" {
		t.Skip("CROSSWAVE_CORPUS is not set: it names the folder with the survey files of testdata/corpus/list.json")
	}
	var clues []string
	var lessons []lesson
	for i := range list {
		f := &list[i]
		path, ok := paths[f.SHA256]
		if !ok || slices.Contains(hidden, f.part()) {
			continue
		}
		l := lesson{name: f.Name}
		names, examples := lessonOf(t, path, truthOf(t, f))
		if names != nil {
			clues = names
		}
		l.examples = examples
		lessons = append(lessons, l)
	}
	const folds = 5
	var told [folds]verdicts
	var grown sync.WaitGroup
	for fold := range folds {
		grown.Go(func() {
			var known, asked []forest.Example
			for _, l := range lessons {
				if sum := sha256.Sum256([]byte(l.name)); int(sum[0])%folds == fold {
					asked = append(asked, l.examples...)
				} else {
					known = append(known, l.examples...)
				}
			}
			told[fold] = judged(forest.Learn(known, manyTrees), asked)
		})
	}
	grown.Wait()
	var v verdicts
	for i := range told {
		v.add(&told[i])
	}
	t.Logf("%d files, %d pairs: %.1f %% right; of %d that are sure enough, %.1f %% are wrong; loss %.4f",
		len(lessons), v.all, percent(v.right, v.all), v.accepted, percent(v.mistaken, v.accepted), v.loss/v.weight)
	if v.all < 10_000 {
		return // too few files to tell
	}
	if right := percent(v.right, v.all); right < 94 { // 94.7 with a file of 600 rows, a sixth of which each respondent saw
		t.Errorf("%.1f %% of the pairs of files that nothing was learnt from are judged right, below 94", right)
	}
	if !*learn {
		return
	}
	var known []forest.Example
	for _, l := range lessons {
		known = append(known, l.examples...)
	}
	f := forest.Learn(known, manyTrees)
	var asked []string
	for _, clue := range f.Clues()[:10] {
		asked = append(asked, clues[clue])
	}
	t.Logf("it asks most often after %s", strings.Join(asked, ", "))
	if err := os.WriteFile("together.forest", []byte(f.Text(clues)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// verdicts are how a forest judged pairs.
type verdicts struct {
	all, right         int
	accepted, mistaken int // sure enough, and of these those that are not of one question
	loss, weight       float64
}

// judged asks a forest about pairs.
func judged(f *forest.Forest, pairs []forest.Example) (v verdicts) {
	for _, e := range pairs {
		points := f.Points(e.Clues)
		odds := points
		if !e.Is {
			odds = -points
		}
		v.all++
		v.right += btoi((points > 0) == e.Is)
		v.loss -= e.Weight * math.Log(forest.Likely(odds))
		v.weight += e.Weight
		if points >= guess.SureEnough {
			v.accepted++
			v.mistaken += btoi(!e.Is)
		}
	}
	return v
}

func (v *verdicts) add(w *verdicts) {
	v.all += w.all
	v.right += w.right
	v.accepted += w.accepted
	v.mistaken += w.mistaken
	v.loss += w.loss
	v.weight += w.weight
}

// lessonOf is what the pairs of columns of a file are by its truth. Those that it leaves open are none, and those of
// two questions whose columns take turns, which rules find. Of a file that is refused there is none.
func lessonOf(t *testing.T, path string, k *truth) (clues []string, examples []forest.Example) {
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	clues, pairs, err := guess.Pairs(t.Context(), &f.File)
	if err != nil {
		return nil, nil // it is refused, and TestCorpus tells
	}
	names := columnNames(f)
	known, err := k.resolve(names)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]int{}                      // the question of a column
	first, last := map[int]int{}, map[int]int{} // columns of a question
	for i, group := range known.groups {
		for _, at := range group.columns {
			of[names[at]] = i + 1
		}
		first[i+1], last[i+1] = slices.Min(group.columns), slices.Max(group.columns)
	}
	for _, p := range pairs {
		a, b := slices.Index(names, f.Columns[p.Before].Name), slices.Index(names, f.Columns[p.At].Name)
		before, at := of[names[a]], of[names[b]]
		is := before > 0 && before == at
		turns := before > 0 && last[before] > b || at > 0 && first[at] < a
		if !is && (known.as[a] == "" || known.as[b] == "" || turns) {
			continue
		}
		examples = append(examples, forest.Example{Clues: p.Clues, Is: is})
	}
	for i := range examples {
		examples[i].Weight = 1 / math.Sqrt(float64(len(examples)))
	}
	return clues, examples
}
