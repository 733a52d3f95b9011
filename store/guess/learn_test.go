package guess_test

import (
	"crypto/sha256"
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/internal/forest"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
)

var learn = flag.Bool("learn", false, "write together.forest, learnt from the files that CROSSWAVE_CORPUS holds")

// learntFrom are the parts of the corpus that were looked at when the forest was learnt.
var learntFrom = []string{tuning, freshFiles, laterFiles, laterHalf, lastFiles, newestFiles, unseenFiles, blindFiles,
	strangeFiles, shapedFiles, foreignFiles, recentFiles, latestFiles}

// lesson is what the pairs of columns of one file are.
type lesson struct {
	name     string
	examples []forest.Example
}

// TestLearn learns what columns of one question have in common from the truths of all files but those that are held
// out, and those that were added when the forest was there, and tells how well that does on files that it was not
// learnt from: those of each fifth by the other four. With -learn it writes the forest. A file counts as the root of
// its pairs, so that those with hundreds of columns do not decide alone.
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
		if !ok || !slices.Contains(learntFrom, f.part()) {
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
	right, all, accepted, mistaken := 0, 0, 0, 0
	loss, weight := 0.0, 0.0
	const folds = 5
	for fold := range folds {
		var known, asked []forest.Example
		for _, l := range lessons {
			if sum := sha256.Sum256([]byte(l.name)); int(sum[0])%folds == fold {
				asked = append(asked, l.examples...)
			} else {
				known = append(known, l.examples...)
			}
		}
		f := forest.Learn(known, forest.Options{})
		for _, e := range asked {
			points := f.Points(e.Clues)
			all++
			odds := points
			if !e.Is {
				odds = -points
			}
			loss -= e.Weight * math.Log(forest.Likely(odds))
			weight += e.Weight
			right += btoi((points > 0) == e.Is)
			if points >= guess.SureEnough {
				accepted++
				if !e.Is {
					mistaken++
				}
			}
		}
	}
	t.Logf("%d files, %d pairs: %.1f %% right; of %d that are sure enough, %.1f %% are wrong; loss %.4f",
		len(lessons), all, percent(right, all), accepted, percent(mistaken, accepted), loss/weight)
	if all < 10_000 {
		return // too few files to tell
	}
	if percent(right, all) < 95 {
		t.Errorf("%.1f %% of the pairs of files that nothing was learnt from are judged right, below 95", percent(right, all))
	}
	if !*learn {
		return
	}
	var known []forest.Example
	for _, l := range lessons {
		known = append(known, l.examples...)
	}
	f := forest.Learn(known, forest.Options{})
	var asked []string
	for _, clue := range f.Clues()[:10] {
		asked = append(asked, clues[clue])
	}
	t.Logf("it asks most often after %s", strings.Join(asked, ", "))
	if err := os.WriteFile("together.forest", []byte(f.Text(clues)), 0o666); err != nil {
		t.Fatal(err)
	}
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
