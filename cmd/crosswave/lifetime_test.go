package main

import (
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/store/sqlite"
)

// Lifetimes are written in days or as Go has durations.
func TestLifetime(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
		err  string
	}{
		{"30d", 720 * time.Hour, ""}, {"0d", 0, ""}, {"1h30m", 90 * time.Minute, ""}, {"-1h", -time.Hour, ""},
		{"d", 0, "no number of days"}, {"1.5d", 0, "no number of days"}, {"-1d", 0, "no number of days"},
		{"106751d", 106751 * 24 * time.Hour, ""}, {"106752d", 0, "no number of days"}, {"30", 0, "no duration"},
		{"", 0, "no duration"}, {"1dd", 0, "no number of days"},
	} {
		var l lifetime
		err := l.UnmarshalText([]byte(c.text))
		if c.err == "" && (err != nil || time.Duration(l) != c.want) || c.err != "" && (err == nil ||
			!strings.Contains(err.Error(), c.err)) {
			t.Errorf("%q: %v, %v", c.text, time.Duration(l), err)
		}
	}
}

// A key is good for as many days as were given.
func TestKeyExpiresInDays(t *testing.T) {
	alone(t)
	db := store(t)
	began := time.Now()
	ok(t, "key", "create", "--db", db, "--expires", "30d")
	if code, _, errs := run(t, "", "key", "create", "--db", db, "--expires", "soon"); code != 2 ||
		!strings.Contains(errs, "30d") {
		t.Errorf("exit %d: %s", code, errs)
	}
	opened, err := sqlite.Open(t.Context(), db, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	keys, err := opened.ListKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var last sqlite.Key
	for _, k := range keys {
		last = k
	}
	if good := last.Expires.Sub(began); good < 30*24*time.Hour-time.Second || good > 30*24*time.Hour+time.Minute {
		t.Errorf("it is good for %v", good)
	}
}
