package httpapi

import "sync/atomic"

// Load tells what queries run and wait in a handler, for whoever watches it. The zero Load is ready to be put into a
// Config, of one handler only; before that has been made it tells of nothing. It may be used by many goroutines at
// once.
type Load struct{ turns atomic.Pointer[turns] }

// LoadNow is how things stand at one moment.
type LoadNow struct {
	// Short are queries of less than 10,000 counts, Long all others: see Limits.Running.
	Short, Long LaneLoad
	Bytes       int64 // that requests hold, by the estimate that Limits.Memory bounds
}

// LaneLoad is how many queries are counted, and how many wait for their turn to be.
type LaneLoad struct{ Running, Waiting int }

// Now tells how things stand.
func (l *Load) Now() LoadNow {
	t := l.turns.Load()
	if t == nil {
		return LoadNow{}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := LoadNow{Short: LaneLoad{Running: t.running[short]}, Long: LaneLoad{Running: t.running[long]}, Bytes: t.held}
	for _, u := range t.users {
		for _, q := range u.queue {
			if q.lane == short {
				now.Short.Waiting++
			} else {
				now.Long.Waiting++
			}
		}
	}
	return now
}
