package guess_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/google/go-cmp/cmp"
)

// corpusFile is a line of testdata/corpus/list.json: a survey file in a public repository or in a package.
type corpusFile struct {
	Name, Repository, Commit, Path, SHA256, Licence, Maker, Language string

	Package string // of Debian or npm, where it is in no repository
	Object  string // of a package's: how the file was made of what is at the path; "": it is that

	Bytes int64
	Copy  bool   // its licence would allow a copy in this tree
	Data  string // of a Triple-S definition: the path of its data in the repository
	Part  string // of the corpus, by when it was added; "": it is one of the first files
}

// The parts of the corpus, in the order in which they were added.
const (
	tuning        = "tuning"   // of the first files, those that rules were made on
	heldOut       = "held out" // of the first files, those that nobody looks at
	freshFiles    = "fresh"
	laterFiles    = "later"
	laterHalf     = "later half" // those of the later ones that were held out at first
	lastFiles     = "last"
	newestFiles   = "newest"
	unseenFiles   = "unseen"
	blindFiles    = "blind"
	strangeFiles  = "strange"
	shapedFiles   = "shaped"
	foreignFiles  = "foreign"
	recentFiles   = "recent"
	sealedFiles   = "sealed"
	latestFiles   = "latest"
	gatheredFiles = "gathered"
	lockedFiles   = "locked"
	broughtFiles  = "brought"
	closedFiles   = "closed"
	keptFiles     = "kept"
	addedFiles    = "added"
	treeFiles     = "in the tree"
	packagedFiles = "packaged"
	arrivedFiles  = "arrived"
	setAside      = "set aside" // a third of the packaged and the arrived ones, held out at first
	joinedFiles   = "joined"
	keptBack      = "kept back" // of those that were added with the joined ones, held out at first
	foundFiles    = "found"
	offeredFiles  = "offered"
	delivered     = "delivered"
	exportedFiles = "exported"
	takenUp       = "taken up"
	putAway       = "put away" // a third of those that were added with the taken up, held out at first
	handedIn      = "handed in"
	laidBy        = "laid by"   // a third of those that were added with the handed in, held out at first
	revisited     = "revisited" // rules were made on these before their truths were written
	sentIn        = "sent in"
	passedOn      = "passed on"
	sentAfter     = "sent after"
	putBy         = "put by" // of those that were added with the last three, held out at first
	takenIn       = "taken in"
	shutAway      = "shut away" // a third of those that were added with the taken in, held out at first
	letIn         = "let in"
	lockedAway    = "locked away" // a third of those that were added with the let in, held out at first
	comeLate      = "come late"
	keptShut      = "kept shut" // a third of those that were added with the come late, held out at first
	comeSince     = "come since"
	keptApart     = "kept apart" // a third of those that were added with the come since, held out at first
	comeAfter     = "come after"
	comeNext      = "come next"
	letOut        = "let out"     // half of those that were held out with the stored away at first
	storedAway    = "stored away" // of those that were added with the come next, by their names and makers
	newlyCome     = "newly come"
	sealedUp      = "sealed up" // half of those that were added with the newly come, by their names, held out at first
	broughtIn     = "brought in"
	putBehind     = "put behind" // of those that were added with the brought in, by names and makers, held out at first
	carriedIn     = "carried in"
	laidBehind    = "laid behind" // of those that were added with the carried in, by names and makers, held out at first
	carriedOver   = "carried over"
	stowedAway    = "stowed away" // of those that were added with the carried over, likewise
	handedOver    = "handed over"
	tuckedAway    = "tucked away" // of those that were added with the handed over, by their names, held out at first
	pickedUp      = "picked up"
	keptClosed    = "kept closed" // of those that were added with the picked up, by their names, held out at first
	newlyFound    = "newly found"
	keptHidden    = "kept hidden" // of those that were added with the newly found, by their names, held out at first
	lastlyFound   = "lastly found"
	keptUnread    = "kept unread" // of those that were added with the lastly found, by their names, held out at first
	comeUpon      = "come upon"
	keptSealed    = "kept sealed" // of those that were added with the come upon, by their names, held out at first
	metLast       = "met last"
	keptCovered   = "kept covered" // of those that were added with the met last, by their names
	metSince      = "met since"
	keptLocked    = "kept locked" // of those that were added with the met since, by their names
	foundSince    = "found since"
	keptSecret    = "kept secret" // of those that were added with the found since, by their names
	comeBy        = "come by"
	keptDark      = "kept dark" // of those that were added with the come by, by their names
	sentFor       = "sent for"
	broughtAfter  = "brought after"
	keptQuiet     = "kept quiet" // of those that were added with these two, by their names
)

// parts are the parts of the corpus in the order in which their scores are told.
var parts = []string{tuning, heldOut, freshFiles, laterFiles, laterHalf, lastFiles, newestFiles, unseenFiles,
	blindFiles, strangeFiles, shapedFiles, foreignFiles, recentFiles, sealedFiles, latestFiles, gatheredFiles,
	lockedFiles, broughtFiles, closedFiles, keptFiles, addedFiles, treeFiles, packagedFiles, arrivedFiles, setAside,
	joinedFiles, keptBack, foundFiles, offeredFiles, delivered, exportedFiles, takenUp, putAway,
	handedIn, laidBy, revisited, sentIn, passedOn, sentAfter, putBy, takenIn,
	shutAway, letIn, lockedAway, comeLate, keptShut, comeSince, keptApart,
	comeAfter, comeNext, letOut, storedAway, newlyCome, sealedUp, broughtIn, putBehind, carriedIn,
	laidBehind, carriedOver, stowedAway, handedOver, tuckedAway, pickedUp, keptClosed, newlyFound,
	keptHidden, lastlyFound, keptUnread, comeUpon, keptSealed, metLast, keptCovered, metSince,
	keptLocked, foundSince, keptSecret, comeBy, keptDark, sentFor, broughtAfter, keptQuiet}

// hidden are the parts of which nobody looks at what is guessed.
var hidden = []string{heldOut, keptCovered, keptLocked, keptSecret, keptDark, keptQuiet}

// part tells of which part the file is. A third of the first files is held out, by hash.
func (f *corpusFile) part() string {
	switch hash := sha256.Sum256([]byte(f.Name))[0]; {
	case f.Part != "":
		return f.Part
	case hash%3 == 0:
		return heldOut
	}
	return tuning
}

// truth is what the columns of a file are by its documents; testdata/corpus/README.md tells how it is written.
type truth struct {
	File, Documentation string
	Respondents         int64 // 0: not said
	Columns             []struct {
		As, Name string
		Columns  []string
	}
}

// group is columns that are one question by a truth.
type group struct {
	as, name string
	columns  []int
}

// known is a truth whose columns are resolved to their places in the file.
type known struct {
	as     []string        // of each column, as a truth says it; "" is not scored
	also   map[int]bool    // columns that may be used as wave, location or weight, whatever else they are
	roles  map[string]bool // which of weight, wave and location the file has
	groups []group
}

// kinds are what a truth can say of a column.
var kinds = []string{"weight", "another weight", "weight perhaps", "respondent", "wave", "wave perhaps", "location",
	"location perhaps", "single", "number", "single or number", "multi", "grid", "multi or grid", "numeric grid", "date",
	"open end", "nothing"}

// corpusList reads the list of files.
func corpusList(t *testing.T) []corpusFile {
	text, err := os.ReadFile("testdata/corpus/list.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []corpusFile
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// truthOf reads the truth of a file.
func truthOf(t *testing.T, f *corpusFile) *truth {
	text, err := os.ReadFile("testdata/corpus/truth/" + f.Name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	var k truth
	if err := d.Decode(&k); err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	if k.File != f.SHA256 || k.Documentation == "" {
		t.Fatalf("%s: the truth is about another file, or names no document", f.Name)
	}
	return &k
}

// treeFolder holds the files that are in the tree.
const treeFolder = "testdata/corpus/files"

// corpusPaths finds files by their SHA-256 in the folder of the tree and in the one that CROSSWAVE_CORPUS names.
func corpusPaths(t *testing.T, list []corpusFile) map[string]string {
	sizes := map[int64]bool{}
	for i := range list {
		sizes[list[i].Bytes] = true
	}
	found := map[string]string{}
	for _, dir := range []string{os.Getenv("CROSSWAVE_CORPUS"), treeFolder} {
		entries, err := os.ReadDir(dir)
		if dir == "" || os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() || !sizes[info.Size()] {
				continue
			}
			path := filepath.Join(dir, e.Name())
			found[fileHash(t, path)] = path
		}
	}
	return found
}

func fileHash(t *testing.T, path string) string {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// resolve finds the columns of a truth among those of a file.
func (k *truth) resolve(names []string) (*known, error) {
	r := &known{as: make([]string, len(names)), also: map[int]bool{}, roles: map[string]bool{}}
	for _, entry := range k.Columns {
		if !slices.Contains(kinds, entry.As) {
			return nil, fmt.Errorf("a column cannot be a %q", entry.As)
		}
		columns, err := places(names, entry.Columns)
		if err != nil {
			return nil, err
		}
		switch entry.As {
		case "multi", "grid", "multi or grid", "numeric grid":
			r.groups = append(r.groups, group{entry.As, entry.Name, columns})
		case "weight", "wave", "location":
			r.roles[entry.As] = true
		}
		for _, at := range columns {
			if perhaps := strings.HasSuffix(entry.As, "perhaps"); perhaps {
				r.also[at] = true
			}
			if r.as[at] == "" || strings.HasSuffix(r.as[at], "perhaps") {
				r.as[at] = entry.As
			}
		}
	}
	return r, nil
}

// places resolves names, ranges A..B, prefixes A* and positions #3.
func places(names, patterns []string) ([]int, error) {
	var list []int
	for _, pattern := range patterns {
		switch prefix, star := strings.CutSuffix(pattern, "*"); {
		case star:
			before := len(list)
			for i, name := range names {
				if strings.HasPrefix(name, prefix) {
					list = append(list, i)
				}
			}
			if len(list) == before {
				return nil, fmt.Errorf("no column begins with %q", prefix)
			}
		default:
			from, to, span := strings.Cut(pattern, "..")
			first, err := place(names, from)
			last := first
			if span && err == nil {
				last, err = place(names, to)
			}
			if err != nil {
				return nil, err
			}
			if last < first {
				return nil, fmt.Errorf("%q runs backwards", pattern)
			}
			for i := first; i <= last; i++ {
				list = append(list, i)
			}
		}
	}
	return list, nil
}

func place(names []string, name string) (int, error) {
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= len(names) {
			return n - 1, nil
		}
	}
	if at := slices.Index(names, name); at >= 0 {
		return at, nil
	}
	return 0, fmt.Errorf("there is no column %q", name)
}

// The list and the truths belong together, and a third of the first files is held out.
func TestTruths(t *testing.T) {
	list := corpusList(t)
	files, makers := map[string]int{}, map[string]bool{}
	for i := range list {
		f := &list[i]
		truthOf(t, f)
		makers[f.Repository] = true
		files[f.part()]++
		if f.Package == "" && (f.Repository == "" || len(f.Commit) != 40) || f.Path == "" || len(f.SHA256) != 64 ||
			f.Licence == "" {
			t.Errorf("%s: package or repository, commit, path, SHA-256 or licence is missing", f.Name)
		}
	}
	truths, err := filepath.Glob("testdata/corpus/truth/*.json")
	if err != nil || len(truths) != len(list) {
		t.Errorf("%d truths for %d files: %v", len(truths), len(list), err)
	}
	first := files[tuning] + files[heldOut]
	if first < 60 || len(makers) < 50 || files[heldOut]*4 < first || files[heldOut]*2 > first {
		t.Errorf("%d files of %d repositories: %v", len(list), len(makers), files)
	}
	for part := range files {
		if !slices.Contains(parts, part) {
			t.Errorf("there is no part %q", part)
		}
	}
}

// The files in the tree are small, and the licence of each stands beside them.
func TestTreeFiles(t *testing.T) {
	const least, most = 15, 100_000 // files, and bytes of each
	licences, err := os.ReadFile("testdata/corpus/files/LICENCES.md")
	if err != nil {
		t.Fatal(err)
	}
	list := corpusList(t)
	paths := corpusPaths(t, list)
	n := 0
	for i := range list {
		f := &list[i]
		if f.part() != treeFiles {
			continue
		}
		n++
		if filepath.Dir(paths[f.SHA256]) != treeFolder || f.Bytes > most {
			t.Errorf("%s: it is not in %s, or has more than %d bytes", f.Name, treeFolder, most)
		}
		if !strings.Contains(string(licences), "\n## "+f.Name+"\n") {
			t.Errorf("%s: LICENCES.md does not tell its licence", f.Name)
		}
	}
	if n < least {
		t.Errorf("%d files are in the tree, fewer than %d", n, least)
	}
}

// The columns that truths name are in their files, as far as these are here. Files are opened and nothing is guessed of
// them, so that a slip in a truth shows before the guesser has read the file.
func TestTruthsNameColumns(t *testing.T) {
	list := corpusList(t)
	paths := corpusPaths(t, list)
	for i := range list {
		path, ok := paths[list[i].SHA256]
		if !ok {
			continue
		}
		f, err := formats.Open(path, formats.Options{})
		if err != nil {
			t.Errorf("%s: %v", list[i].Name, err)
			continue
		}
		if _, err := truthOf(t, &list[i]).resolve(columnNames(f)); err != nil {
			t.Errorf("%s: %v", list[i].Name, err)
		}
		f.Close()
	}
}

// A truth of ten columns against a guess of them, scored by hand: of the grid of three, two are read as one and the
// third as a single choice; of the multiple choice of four, one half is read apart from the other, so that neither is
// more than half of it; the number is right, the open end is read as a single choice, and the weight is missed.
func TestJudge(t *testing.T) {
	names := []string{"id", "w", "g1", "g2", "g3", "m1", "m2", "m3", "m4", "age", "words", "other"}
	k := &truth{}
	err := json.Unmarshal([]byte(`{"Columns": [{"as": "respondent", "columns": ["#1"]}, {"as": "weight", "columns": ["w"]},
		{"as": "grid", "name": "g", "columns": ["g*"]}, {"as": "multi", "name": "m", "columns": ["m1..m4"]},
		{"as": "number", "columns": ["age"]}, {"as": "open end", "columns": ["words"]}]}`), k)
	if err != nil {
		t.Fatal(err)
	}
	want, err := k.resolve(names)
	if err != nil {
		t.Fatal(err)
	}
	j := &judge{names: names, want: want}
	for i, as := range []string{"respondent", "number", "grid g", "grid g", "single", "multi m1", "multi m1", "multi m3",
		"multi m3", "number", "single", "multi m3"} {
		kind, of, _ := strings.Cut(as, " ")
		j.got = append(j.got, guess.Reading{Column: names[i], As: kind, Of: of})
	}
	j.roles()
	j.questions()
	j.columns()
	expected := map[string]score{"weight": {0, 0, 1}, "wave": {}, "location": {}, "grid": {2, 2, 3}, "multi": {0, 4, 4},
		columnsOf + "grid": {2, 2, 3}, columnsOf + "multi": {4, 4, 4}, "number": {1, 2, 1}, "single": {0, 1, 0}}
	if d := cmp.Diff(expected, j.of, cmp.AllowUnexported(score{})); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{"no", "g3..g1", "x*", "#0", "#13"} {
		if _, err := places(names, []string{bad}); err == nil {
			t.Errorf("columns were found for %q", bad)
		}
	}
}
