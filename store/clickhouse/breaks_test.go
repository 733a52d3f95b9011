package clickhouse

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A breaker refuses from the first ping that nothing came back from until something does, be it an error; what fails
// soon is never refused, and nothing goes on when it is closed.
func TestBreaker(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: os.ErrPermission}
	for _, c := range []struct {
		name   string
		ping   func(context.Context) error
		refuse bool
	}{
		{"answers", func(context.Context) error { return nil }, false},
		{"refuses connections", func(context.Context) error { return refused }, false},
		{"hangs", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, true},
		{"hangs beyond the limit", func(context.Context) error { time.Sleep(time.Minute); return nil }, true},
		{"takes long to fail", func(context.Context) error { time.Sleep(3 * time.Second); return refused }, true},
		{"takes long to answer", func(context.Context) error { time.Sleep(3 * time.Second); return nil }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var well atomic.Bool
				var pings atomic.Int64
				b := newBreaker(4*time.Second, func(ctx context.Context) error {
					pings.Add(1)
					if well.Load() {
						return errors.New("some error, which is an answer")
					}
					return c.ping(ctx)
				})
				found := b.found()
				if b.refuse() != nil {
					t.Error("it refuses before anybody suspects")
				}
				for range 5 {
					b.suspect()
				}
				synctest.Wait()
				if n := pings.Load(); n != 1 {
					t.Errorf("%d pings at a time", n)
				}
				time.Sleep(5 * time.Second)
				err := b.refuse()
				select {
				case <-found:
					if !c.refuse {
						t.Error("it is said to hang")
					}
				default:
					if c.refuse {
						t.Error("it is not said to hang")
					}
				}
				if c.refuse != errors.Is(err, errHangs) || !c.refuse && err != nil {
					t.Errorf("it refuses with %v", err)
				}
				if err != nil && !strings.Contains(err.Error(), "2000-01-01T00:00:0") {
					t.Errorf("it does not say since when: %v", err)
				}
				well.Store(true)
				time.Sleep(6 * time.Second)
				if err := b.refuse(); err != nil {
					t.Errorf("it is well and refuses: %v", err)
				}
				select {
				case <-b.found():
					t.Error("it is well and said to hang")
				default:
				}
				well.Store(false)
				b.suspect()
				b.close()
				b.suspect()
				b.close()
				time.Sleep(2 * time.Minute) // the pings that nobody waits for end, too
			})
		})
	}
}
