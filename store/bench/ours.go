package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// cold compares the first time a question is asked, its columns still on disk (in the system's cache), with the next.
func (b *bench) cold(ctx context.Context) error {
	if !b.wanted("cold") {
		return nil
	}
	q := b.cross("50x50 multi x single", []int{0}, []int{3}, 50)
	for _, threads := range b.threads {
		ts, err := rounds{2 * b.rounds.least, b.rounds.longest}.repeat(2, func(took []time.Duration) (err error) {
			took[0], took[1], err = b.firstAndFourth(ctx, q, threads)
			return err
		})
		if err != nil {
			return err
		}
		b.report.within("cold <= 1.5x warm", "warm", b.n, threads, ts[0], ts[1], 1.5)
	}
	return nil
}

// firstAndFourth opens the store and asks a question four times, and returns what the first and the fourth time took.
// In between, what the store finds out about answers while it counts them is found out.
func (b *bench) firstAndFourth(ctx context.Context, q question, threads int) (first, fourth time.Duration, err error) {
	db, err := sqlite.Open(ctx, b.path, b.config(threads))
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	f, err := db.Frame(ctx)
	if err != nil {
		return 0, 0, err
	}
	ask := []audience.Query{{Namespace: f.Namespaces[0].Code, Rows: q.rows, Columns: q.columns, Strata: q.strata}}
	var took [4]time.Duration
	for i := range took {
		begun := time.Now()
		if _, err := db.Count(ctx, f.Version, ask); err != nil {
			return 0, 0, err
		}
		took[i] = time.Since(begun)
	}
	return took[0], took[3], nil
}

// endToEnd compares a crosstab over HTTP, JSON written and read, with the bare count behind it.
func (b *bench) endToEnd(ctx context.Context) error {
	if !b.wanted("http") {
		return nil
	}
	q := b.cross("50x50 multi x single", []int{0}, []int{3}, 50)
	for _, threads := range b.threads {
		db, err := sqlite.Open(ctx, b.path, b.config(threads))
		if err != nil {
			return err
		}
		over, err := b.overHTTP(ctx, db, q)
		if err != nil {
			return err
		}
		bare, err := b.asked(ctx, db, q, b.rounds)
		if err != nil {
			return err
		}
		if err := db.Close(); err != nil {
			return err
		}
		b.report.within("http end to end <= 2x count", "bare count", b.n, threads, over, bare, 2)
	}
	return nil
}

func (b *bench) overHTTP(ctx context.Context, db *sqlite.Store, q question) (timing, error) {
	f, err := db.Frame(ctx)
	if err != nil {
		return timing{}, err
	}
	url, stop, err := serve(db, 0)
	if err != nil {
		return timing{}, err
	}
	defer stop()
	body, err := crosstabBody(f, q.rows, q.columns)
	if err != nil {
		return timing{}, err
	}
	return b.rounds.fastest(func() error {
		answer, err := http.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		lines := 0
		r := bufio.NewReaderSize(answer.Body, 1<<20)
		for {
			line, err := r.ReadSlice('\n')
			if err == io.EOF && len(line) == 0 {
				break
			}
			if err != nil {
				return err
			}
			lines++
		}
		if want := len(q.rows) * len(q.columns); answer.StatusCode != 200 || lines != want {
			return fmt.Errorf("status %d with %d cells, want %d", answer.StatusCode, lines, want)
		}
		return nil
	})
}

// measureImport imports a file of a million rows × 500 columns with one value each.
func measureImport(ctx context.Context, r *report, dir string) error {
	const rows, columns = 1_000_000, 500
	path := filepath.Join(dir, "wide.csv")
	codebook, err := writeWide(path, rows, columns)
	if err != nil {
		return err
	}
	defer os.Remove(path)
	book, err := survey.ReadCodebook(codebook)
	if err != nil {
		return err
	}
	table, err := csv.Open(path, csv.Options{})
	if err != nil {
		return err
	}
	defer table.Close()
	source, err := survey.NewSource(table, book, 0)
	if err != nil {
		return err
	}
	db, err := sqlite.Open(ctx, filepath.Join(dir, "wide.db"), sqlite.Config{})
	if err != nil {
		return err
	}
	defer db.Close()
	begun := time.Now()
	if _, err := survey.Import(ctx, source, db, survey.Options{}); err != nil {
		return err
	}
	ms := milliseconds(time.Since(begun))
	rate := rows / (ms / 1000)
	r.add(comparison{Case: "import >= 100,000 rows/s", Peer: fmt.Sprintf("%d columns", columns), Respondents: rows,
		Threads: 2, Ours: unsure(ms), Theirs: unsure(10_000), Ratio: rate / 100_000, Goal: 1})
	return nil
}

// writeWide writes a survey of single-choice questions, and returns its codebook.
func writeWide(path string, rows, columns int) ([]byte, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(file, 1<<20)
	w.WriteString("id,wave,weight")
	var questions []string
	for c := range columns {
		fmt.Fprintf(w, ",c%d", c)
		questions = append(questions,
			fmt.Sprintf(
				`{"code":"c%d","type":"single","column":"c%d","datapoints":[{"code":"c%d_1","value":"1"},{"code":"c%d_2","value":"2"},{"code":"c%d_3","value":"3"},{"code":"c%d_4","value":"4"},{"code":"c%d_5","value":"5"}]}`, c, c, c, c, c, c, c))
	}
	w.WriteByte('\n')
	x := uint64(1)
	for r := range rows {
		fmt.Fprintf(w, "%d,%d,%d.%02d", r+1, r%4+1, r%3+1, r%97)
		for range columns {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			w.WriteByte(',')
			w.WriteByte('1' + byte(x>>33%5))
		}
		w.WriteByte('\n')
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	return []byte(
		`{"namespaces":[{"code":"core","weight":{"column":"weight"}}],"respondent":{"column":"id"},"wave":{"column":"wave","values":[{"value":"1","code":"w1"},{"value":"2","code":"w2"},{"value":"3","code":"w3"},{"value":"4","code":"w4"}]},"questions":[` +
			strings.Join(questions, ",") + `]}`), file.Close()
}

// measureGrowth notes how cost grows with respondents, cells and questions.
func measureGrowth(ctx context.Context, r *report, dir string, rounds rounds) error {
	r.note("\nhow cost grows (one thread, 50 × 50 unless said otherwise):")
	for _, n := range []int{100_000, 200_000, 400_000, 800_000} {
		path := filepath.Join(dir, fmt.Sprintf("growth%d.db", n))
		source := demo.New(demo.Config{Respondents: n})
		db, err := sqlite.Open(ctx, path, sqlite.Config{Threads: 1})
		if err != nil {
			return err
		}
		if _, err := survey.Import(ctx, source, db, survey.Options{}); err != nil {
			return err
		}
		f, err := db.Frame(ctx)
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		for _, side := range []int{10, 50, 100, 200} {
			if n != 800_000 && side != 50 {
				continue
			}
			xs := manyOptions(f, side*2)
			ask := []audience.Query{{Namespace: f.Namespaces[0].Code, Rows: xs[:side], Columns: xs[side:],
				Strata: []audience.Cover{f.Fielded(0)}}}
			took, err := rounds.fastest(func() error {
				_, err := db.Count(ctx, f.Version, ask)
				return err
			})
			if err != nil {
				return err
			}
			r.note("  %7d respondents, %3d × %3d: %9.2f ms, %6.2f ns a respondent; the store has %.0f bytes a "+
				"respondent", n, side, side, took.ms, took.ms*1e6/float64(n), float64(info.Size())/float64(n))
		}
		if err := db.Close(); err != nil {
			return err
		}
	}
	return nil
}

// manyOptions is n datapoints of the first questions that are asked everywhere.
func manyOptions(f *audience.Frame, n int) []audience.Expr {
	var xs []audience.Expr
	for i := range f.Questions {
		q := &f.Questions[i]
		for _, d := range q.Datapoints {
			if q.Namespace == f.Namespaces[0].Code && len(xs) < n {
				xs = append(xs, audience.Answers{Question: q.Key(), Datapoints: []string{d.Code}, Min: 1})
			}
		}
	}
	return xs
}
