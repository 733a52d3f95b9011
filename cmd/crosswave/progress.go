package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/crosswave/crosswave/store/survey"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress tells people who wait how far something is: on a terminal as a bar, elsewhere as a line from time to time.
// What is soon done is not told of. A nil progress tells nothing. It is safe for use by several goroutines.
type progress struct {
	out      io.Writer
	terminal bool
	every    time.Duration // between two lines
	begun    time.Time
	stop     chan struct{}
	stopped  sync.WaitGroup

	mu   sync.Mutex
	what string // is being done
	at   survey.Progress
	bar  *progressbar.ProgressBar
}

const (
	patience     = 2 * time.Second  // that people have without being told anything
	betweenLines = 10 * time.Second // where it is no terminal
	betweenBars  = 200 * time.Millisecond
)

// startProgress begins to tell of something that is being done; end must be called.
func startProgress(out io.Writer, what string) *progress {
	w := &progress{out: out, what: what, every: betweenLines, begun: time.Now()}
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		w.terminal, w.every = true, betweenBars
	}
	w.run(patience)
	return w
}

// run tells how far it is after a while, and again and again until it has ended.
func (w *progress) run(after time.Duration) {
	w.stop = make(chan struct{})
	w.stopped.Go(func() {
		next := time.NewTimer(after)
		defer next.Stop()
		for {
			select {
			case <-w.stop:
				return
			case <-next.C:
				w.show()
				next.Reset(w.every)
			}
		}
	})
}

// step goes on to something else.
func (w *progress) step(what string) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.what, w.at = what, survey.Progress{}
}

// set notes how much of a file is read, in a unit of its choice; a total of 0 is not known.
func (w *progress) set(done, total int64) { w.imported(survey.Progress{Done: done, Total: total}) }

// imported notes how far an import is.
func (w *progress) imported(p survey.Progress) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = p
}

// say writes something to where it is told how far things are.
func (w *progress) say(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintf(w.out, format, args...)
}

// end stops telling, and takes a bar away.
func (w *progress) end() {
	if w == nil || w.stop == nil {
		return
	}
	close(w.stop)
	w.stopped.Wait()
	w.stop = nil
	if w.bar != nil {
		w.bar.Finish()
	}
}

func (w *progress) show() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.terminal {
		fmt.Fprintf(w.out, "%s (%s)\n", w.line(), time.Since(w.begun).Round(time.Second))
		return
	}
	if w.bar == nil {
		w.bar = progressbar.NewOptions64(-1, progressbar.OptionSetWriter(w.out), progressbar.OptionClearOnFinish())
	}
	if w.at.Total > 0 {
		w.bar.ChangeMax64(w.at.Total)
	}
	w.bar.Describe(w.line())
	w.bar.Set64(min(w.at.Done, max(w.at.Total, 0)))
}

// line says what is being done and how far it is: importing drinks.csv: 41 %, 120,000 respondents.
func (w *progress) line() string {
	var parts []string
	if w.at.Total > 0 && !w.terminal {
		parts = append(parts, fmt.Sprintf("%d %%", min(100, int64(100*float64(w.at.Done)/float64(w.at.Total)))))
	}
	if w.at.Respondents > 0 {
		parts = append(parts, grouped(float64(w.at.Respondents), 0)+" respondents")
	}
	if len(parts) == 0 {
		return w.what + " …"
	}
	return w.what + ": " + strings.Join(parts, ", ")
}

// progressTable is a table that tells how far it is read.
type progressTable struct {
	survey.Table
	progress *progress
}

// Blocks is that of the table.
func (t *progressTable) Blocks(ctx context.Context, columns []int) iter.Seq2[survey.Block, error] {
	return func(yield func(survey.Block, error) bool) {
		for block, err := range t.Table.Blocks(ctx, columns) {
			if err == nil {
				t.progress.set(block.Done(), t.Size())
			}
			if !yield(block, err) {
				return
			}
		}
	}
}
