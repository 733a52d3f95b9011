package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
)

// A server that takes longer to say who it is than connecting may take gives no answer, which is not that a question
// took too long: it has not been asked yet.
func TestConnectingTakesTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes five seconds")
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	s := &Store{config: Config{Timeout: time.Minute, Statements: 1}}
	if err := s.connect(silent.Addr().String()); err != nil {
		t.Fatal(err)
	}
	defer s.servers[0].servers[0].conn.Close()
	defer s.servers[0].servers[0].breaker.close()
	err = s.statement(t.Context(), s.shards[0], func(ctx context.Context, conn driver.Conn) error {
		return conn.Exec(ctx, "SELECT 1")
	})
	if !errors.Is(err, audience.ErrNoAnswer) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it is %v", err)
	}
}

// What is late before a statement's time is over is the connection; afterwards it is the statement.
func TestExplainLate(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range []error{
		&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded},
		fmt.Errorf("handshake: %w", &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}),
		fmt.Errorf("acquire: %w", context.DeadlineExceeded),
	} {
		var s Store
		early := s.explain(t.Context(), t.Context(), &server{address: "a:9000"}, err)
		if !errors.Is(early, audience.ErrNoAnswer) || errors.Is(early, context.DeadlineExceeded) {
			t.Errorf("%v while there is time is %v", err, early)
		}
		late := s.explain(t.Context(), over, &server{address: "a:9000"}, err)
		if errors.Is(late, audience.ErrNoAnswer) || !errors.Is(late, context.DeadlineExceeded) {
			t.Errorf("%v when time is over is %v", err, late)
		}
	}
}
