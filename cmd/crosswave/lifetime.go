package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// lifetime is a duration that may be written in days: 30d, or as Go writes durations.
type lifetime time.Duration

// UnmarshalText reads a lifetime.
func (l *lifetime) UnmarshalText(text []byte) error {
	if days, isDays := strings.CutSuffix(string(text), "d"); isDays {
		const most = math.MaxInt64 / (24 * time.Hour)
		n, err := strconv.ParseInt(days, 10, 64)
		if err != nil || n < 0 || n > int64(most) {
			return fmt.Errorf("%q is no number of days, as 30d is", text)
		}
		*l = lifetime(time.Duration(n) * 24 * time.Hour)
		return nil
	}
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no duration: write it as 30d, 12h or 90m", text)
	}
	*l = lifetime(d)
	return nil
}
