package main

import (
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// soak asks a mixture of questions, 200 a second whatever the answers take, for half an hour or as long as DRILL_SOAK
// says, and looks at how long they take and at what the server holds after a tenth of the time (half of it in the
// short form, as memories fill first) and at the end. In the short form requests that do not get ahead are waited for.
func soak(g *ground) error {
	const each = time.Second / 200
	const slowest = 50 * time.Millisecond
	length := 30 * time.Minute
	if !g.long {
		length = 10 * time.Second
	}
	if text := os.Getenv("DRILL_SOAK"); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			return err
		}
	}
	s, err := g.served()
	if err != nil {
		return err
	}
	defer s.kill()
	var (
		first   map[string]float64
		times   []time.Duration
		mu      sync.Mutex
		asking  sync.WaitGroup
		waiting atomic.Int64
	)
	ticks := time.NewTicker(each)
	defer ticks.Stop()
	for i := range int(length / each) {
		<-ticks.C
		if i == int(length/each)/g.of(10, 2) {
			if first, err = s.gauges(); err != nil {
				return err
			}
		}
		g.try()
		for !g.long && waiting.Load() > 50 {
			time.Sleep(each)
		}
		if waiting.Load() > 1000 {
			g.fail("a thousand requests wait")
			return nil
		}
		waiting.Add(1)
		due := time.Now()
		asking.Go(func() {
			defer waiting.Add(-1)
			if err := s.soaked(i); err != nil {
				g.fail("%v", err)
			}
			mu.Lock()
			defer mu.Unlock()
			times = append(times, time.Since(due))
		})
	}
	asking.Wait()
	last, err := s.settled()
	if err != nil {
		return err
	}
	first["crosswave_requests_held_bytes"] = 0 // at the end nothing is held for those that were under way then
	first["process_open_fds"] += 64            // connections of the soak
	first["go_goroutines"] += 64
	flat(g, first, last)
	g.note("of %d in %v 50 of 100 within %v, 99 within %v", len(times), length, percentile(times, 50),
		percentile(times, 99))
	slow := percentile(times, 99)
	g.goal(slow <= slowest, "99 of 100 take up to %v, more than %v", slow, slowest)
	return nil
}

// soaked sends the i-th request of a mixture and wants it answered.
func (s *server) soaked(i int) error {
	pair := func(n int) string {
		return fmt.Sprintf(`{"question": "interests", "datapoints": ["interests_%d"]}`, 1+n%50)
	}
	method, path, body := http.MethodPost, "", ""
	switch i % 10 {
	case 0, 1, 2:
		path, body = "/v2/query/crosstab", large(1+i%7, 1+i%11, i, "")
	case 3:
		path, body = "/v2/query/crosstab", large(20, 10, i, `, "statistics": {}`)
	case 4:
		path, body = "/v2/query/stats", fmt.Sprintf(`{"question": "exercise", "splitter": "waves", "audiences": [{"id": "a", `+
			`"expression": %s}]}`, pair(i/10))
	case 5:
		path, body = "/v2/query/intersection", fmt.Sprintf(`{"audiences": {"row": {"expression": %s}, "column": `+
			`{"expression": %s}}}`, pair(i/10), pair(i/7))
	case 6:
		path, body = "/v3/query/audience_wave_counts", fmt.Sprintf(`{"expression": %s}`, pair(i/10))
	case 7:
		path, body = "/v3/questions/filter", `{"questions": [{"question": "media_use"}], "include": {"datapoints": true}}`
	case 8:
		path, body = "/v3/insights/filter", `{"filters": {}, "limit": 3}`
	default:
		if i/10%4 == 0 {
			path, body = "/v2/saved/audiences", fmt.Sprintf(`{"name": "%d", "expression": %s}`, i, pair(i))
		} else {
			method, path = http.MethodGet, "/v2/saved/audiences?limit=5"
		}
	}
	a, err := s.ask(method, path, body)
	if err != nil || a.status/100 != 2 {
		if a.status == http.StatusForbidden && path == "/v2/saved/audiences" { // a user's quota, after half an hour
			return nil
		}
		return fmt.Errorf("%s %s: %d %.200s %v", method, path, a.status, a.body, err)
	}
	return nil
}
