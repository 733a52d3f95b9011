package survey

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"slices"
)

// ids finds respondent ids that stand twice in a file. It remembers a hash of 128 bits of each, so that two different
// ids of a file of a billion rows are taken for one with a chance of less than 1 in 10^20, and takes a fixed amount of
// memory: what is beyond it lies in sorted runs in a temporary file.
type ids struct {
	folder string // "": the system's for temporary files
	limit  int    // entries in memory
	seeds  [2]maphash.Seed
	near   []idEntry
	file   *os.File
	runs   []int64 // entries of each run in the file
}

// idEntry is an id and the row it is of.
type idEntry struct {
	high, low uint64
	row       int64
}

const (
	idEntrySize = 24
	idLimit     = 1 << 19 // 12 MiB
)

func newIDs(folder string) *ids {
	return &ids{folder: folder, limit: idLimit, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
}

func compareIDs(a, b idEntry) int {
	return cmp.Or(cmp.Compare(a.high, b.high), cmp.Compare(a.low, b.low), cmp.Compare(a.row, b.row))
}

// add takes the id of a row. Rows come in the file's order.
func (s *ids) add(id string, row int64) error {
	if len(s.near) == s.limit {
		if err := s.spill(); err != nil {
			return fmt.Errorf("keeping respondent ids in a temporary file: %w", err)
		}
	}
	s.near = append(s.near, idEntry{maphash.String(s.seeds[0], id), maphash.String(s.seeds[1], id), row})
	return nil
}

// spill writes a run.
func (s *ids) spill() error {
	if s.file == nil {
		file, err := os.CreateTemp(s.folder, "crosswave-ids-*")
		if err != nil {
			return err
		}
		s.file = file
	}
	slices.SortFunc(s.near, compareIDs)
	w := bufio.NewWriterSize(s.file, 1<<18)
	var b [idEntrySize]byte
	for _, e := range s.near {
		binary.LittleEndian.PutUint64(b[0:], e.high)
		binary.LittleEndian.PutUint64(b[8:], e.low)
		binary.LittleEndian.PutUint64(b[16:], uint64(e.row))
		if _, err := w.Write(b[:]); err != nil {
			return err
		}
	}
	s.runs = append(s.runs, int64(len(s.near)))
	s.near = s.near[:0]
	return w.Flush()
}

// duplicate finds the first row whose id stood before, and the row where it stood first; 0, 0 if there is none.
func (s *ids) duplicate() (first, second int64, err error) {
	slices.SortFunc(s.near, compareIDs)
	queue := idQueue{}
	if len(s.near) > 0 {
		queue = append(queue, &idRun{entry: s.near[0], near: s.near[1:]})
	}
	offset := int64(0)
	for _, n := range s.runs {
		run := &idRun{far: bufio.NewReaderSize(io.NewSectionReader(s.file, offset, n*idEntrySize), 1<<14)}
		offset += n * idEntrySize
		if _, err := run.next(); err != nil {
			return 0, 0, fmt.Errorf("reading respondent ids from a temporary file: %w", err)
		}
		queue = append(queue, run)
	}
	heap.Init(&queue)
	start := idEntry{} // the first row with the id at hand
	for len(queue) > 0 {
		e := queue[0].entry
		if start.row != 0 && e.high == start.high && e.low == start.low {
			if second == 0 || e.row < second {
				first, second = start.row, e.row
			}
		} else {
			start = e
		}
		more, err := queue[0].next()
		switch {
		case err != nil:
			return 0, 0, fmt.Errorf("reading respondent ids from a temporary file: %w", err)
		case more:
			heap.Fix(&queue, 0)
		default:
			heap.Pop(&queue)
		}
	}
	return first, second, nil
}

// close removes the temporary file.
func (s *ids) close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}

// idRun is a sorted run of entries, in memory or in the file.
type idRun struct {
	entry idEntry
	near  []idEntry
	far   *bufio.Reader
}

// next goes to the next entry, if there is one.
func (r *idRun) next() (bool, error) {
	if r.far == nil {
		if len(r.near) == 0 {
			return false, nil
		}
		r.entry, r.near = r.near[0], r.near[1:]
		return true, nil
	}
	var b [idEntrySize]byte
	if _, err := io.ReadFull(r.far, b[:]); err == io.EOF {
		return false, nil
	} else if err != nil {
		return false, err
	}
	r.entry = idEntry{binary.LittleEndian.Uint64(b[0:]), binary.LittleEndian.Uint64(b[8:]),
		int64(binary.LittleEndian.Uint64(b[16:]))}
	return true, nil
}

// idQueue is a heap of runs by their entries.
type idQueue []*idRun

func (q idQueue) Len() int           { return len(q) }
func (q idQueue) Less(i, j int) bool { return compareIDs(q[i].entry, q[j].entry) < 0 }
func (q idQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *idQueue) Push(x any)        { *q = append(*q, x.(*idRun)) }
func (q *idQueue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}
