package statfile

import (
	"fmt"
	"sync"
)

// Note is something a reader skipped or repaired. Each format has a type of its own for it, which is made of this one.
type Note struct {
	Offset int64 // bytes from the start of the file; 0 where no place applies
	Text   string
}

func (n Note) String() string {
	if n.Offset == 0 {
		return n.Text
	}
	return fmt.Sprintf("at byte %d: %s", n.Offset, n.Text)
}

// MostNotes bounds the notes kept of one file; a hostile one could earn a note for every few bytes.
const MostNotes = 200

// Notes collects notes up to MostNotes and then only counts them. It may be used by several goroutines at once.
type Notes struct {
	mu   sync.Mutex
	list []Note
	more int
}

// Add makes a note.
func (n *Notes) Add(offset int64, format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.add(offset, format, args...)
}

// Once makes a note of the first of its kind. Whether that is noted is guarded as the notes are.
func (n *Notes) Once(noted *bool, offset int64, format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !*noted {
		*noted = true
		n.add(offset, format, args...)
	}
}

func (n *Notes) add(offset int64, format string, args ...any) {
	if len(n.list) == MostNotes {
		n.more++
		return
	}
	n.list = append(n.list, Note{Offset: offset, Text: fmt.Sprintf(format, args...)})
}

// All returns a copy of the notes, as those of a format, closed by one that counts those left out.
func All[N ~struct {
	Offset int64
	Text   string
}](n *Notes) []N {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []N
	for _, note := range n.list {
		out = append(out, N(note))
	}
	if n.more > 0 {
		out = append(out, N(Note{Text: fmt.Sprintf("%d more notes left out", n.more)}))
	}
	return out
}
