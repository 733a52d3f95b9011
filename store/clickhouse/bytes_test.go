package clickhouse_test

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
	"github.com/crosswave/crosswave/store/sqlite"
)

// A question moves its answer between the servers, not respondents. CROSSWAVE_CLICKHOUSE_RESPONDENTS says how many are
// loaded.
func TestBytesBetweenServers(t *testing.T) {
	n := 20_000
	if text := os.Getenv("CROSSWAVE_CLICKHOUSE_RESPONDENTS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	heavy(t)
	all := cluster(t)
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(all), Cluster: clickhousetest.Counted,
		Database: "counted"})
	start := time.Now()
	load(t, p, n)
	loaded := time.Since(start)
	count(t, p, 1) // the version is verified
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		size     int
		measures audience.Measures
		most     int64 // bytes
	}{{20, 0, 100_000}, {50, 0, 500_000}, {20, audience.Squares, 1_500_000}, {50, audience.Squares, 10_000_000}} {
		for _, s := range all {
			s.Passed.Store(0)
		}
		q := square(t, f, c.size)
		if q.Measures = c.measures; q.Measures.Has(audience.Squares) {
			apart(f, &q)
		}
		start = time.Now()
		if _, err := p.Count(t.Context(), f.Version, []audience.Query{q}); err != nil {
			t.Fatal(err)
		}
		took := time.Since(start)
		var bytes int64
		for _, s := range all {
			bytes += s.Passed.Load()
		}
		var rows, disk int64
		for _, h := range p.Health(t.Context()) {
			rows, disk = rows+h.Rows, disk+h.Bytes
		}
		t.Logf("%d respondents, %d on disk, loaded in %v (%.1f bytes each, %.1f s a million): %d×%d in %d strata in %v, %d "+
			"bytes between servers",
			rows, disk, loaded.Round(time.Millisecond), float64(disk)/float64(rows), loaded.Seconds()/float64(rows)*1e6,
			c.size, c.size, len(q.Strata), took.Round(time.Millisecond), bytes)
		if bytes == 0 || bytes >= c.most {
			t.Errorf("%d bytes passed between the servers for %d × %d", bytes, c.size, c.size)
		}
	}
}
