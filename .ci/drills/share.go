package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// mostSlower is how many times as long a small request may take beside large ones.
const mostSlower = 3

// share asks a small question again and again, by itself and beside four users who ask for costly statistics all the
// time, and compares how long 99 of a hundred take at the most. Both are measured in turns, so that what else the
// machine does bears on both. What fails in the short form, too, is an answer that is none.
func share(g *ground) error {
	s, err := g.served(append([]string{"--result-cache", "0"}, strings.Fields(os.Getenv("DRILL_FLAGS"))...)...)
	if err != nil {
		return err
	}
	defer s.kill()
	var keys []string
	for user := range 4 {
		key, err := g.key(g.path("served.db"), fmt.Sprint(100+user))
		if err != nil {
			return err
		}
		keys = append(keys, key)
	}
	var answered atomic.Int64
	var alone, beside []time.Duration
	for range g.of(6, 3) {
		times, err := small(g, s, g.of(400, 150))
		if err != nil {
			return err
		}
		alone = append(alone, times...)
		ctx, stop := context.WithCancel(context.Background())
		var busy sync.WaitGroup
		for user, key := range keys {
			busy.Go(func() {
				for n := user; ctx.Err() == nil; n += len(keys) {
					path, body := "/v2/query/stats", costly(n)
					if n/len(keys)%2 == 1 {
						path, body = "/v2/query/crosstab", large(400, 400, n, "")
					}
					a, err := s.askWithin(ctx, http.MethodPost, path, body, key)
					answered.Add(1)
					if ctx.Err() == nil && (err != nil || a.status != http.StatusOK && a.status != 503) {
						g.fail("a large request: %d %.200s %v", a.status, a.body, err)
					}
				}
			})
		}
		time.Sleep(time.Second)
		times, err = small(g, s, g.of(400, 150))
		stop()
		busy.Wait()
		if err != nil {
			return err
		}
		beside = append(beside, times...)
	}
	slower := float64(percentile(beside, 99)) / float64(percentile(alone, 99))
	g.note("50 of 100 within %v alone, %v beside; 99 of 100 within %v, %v", percentile(alone, 50), percentile(beside, 50),
		percentile(alone, 99), percentile(beside, 99))
	g.note("%.1f times as long, %d large answers", slower, answered.Load())
	g.goal(slower <= mostSlower, "99 of 100 small requests take up to %.1f times as long as alone: %d at the most", slower,
		mostSlower)
	return nil
}

// costly asks for statistics of a grid in each location, for two hundred audiences.
func costly(number int) string {
	var audiences []string
	for i := range 200 {
		audiences = append(audiences, fmt.Sprintf(`{"id": "%d", "expression": {"question": "interests", "datapoints": `+
			`["interests_%d", "interests_%d"]}}`, i, 1+i%50, 1+(i/50+number)%50))
	}
	return fmt.Sprintf(`{"question": "statements", "splitter": "locations", "statistics": {}, "audiences": [%s]}`,
		strings.Join(audiences, ", "))
}

// small sends so many small requests, one after the other, and returns how long each took.
func small(g *ground, s *server, n int) (times []time.Duration, err error) {
	for i := range n {
		g.try()
		body := fmt.Sprintf(`{"rows": [{"expression": {"question": "gender", "datapoints": ["gender_1"]}}], "columns": `+
			`[{"expression": {"question": "interests", "datapoints": ["interests_%d"]}}]}`, 1+i%50)
		began := time.Now()
		a, err := s.ask(http.MethodPost, "/v2/query/crosstab", body)
		if err != nil || a.status != http.StatusOK {
			return nil, fmt.Errorf("a small request: %d %.200s %w", a.status, a.body, err)
		}
		times = append(times, time.Since(began))
		time.Sleep(5 * time.Millisecond)
	}
	return times, nil
}

// percentile is the time that so many of a hundred do not exceed.
func percentile(times []time.Duration, of int) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(len(sorted)-1, len(sorted)*of/100)].Round(10 * time.Microsecond)
}
