package main

import (
	"time"

	"github.com/crosswave/crosswave/httpapi"
)

// limits are the flags of what a request may cost, and what those of one user may cost others.
type limits struct {
	QueryTime time.Duration `default:"30s" help:"The longest a request may take."`
	Rate      float64       `placeholder:"N" help:"${rate}"`
	Pace      int64         `default:"16" placeholder:"KIB" help:"${pace}"`
	Stall     time.Duration `default:"30s" help:"${stall}"`
}

// ofRequests are the limits as the API has them, in which 0 is not "no limit" but the default.
func (l limits) ofRequests() httpapi.Limits {
	return httpapi.Limits{QueryTime: unlessZero(l.QueryTime), Rate: l.Rate, Pace: unlessZero(l.Pace << 10),
		Stall: unlessZero(l.Stall)}
}

// unlessZero is a flag's limit, where 0 is none.
func unlessZero[T int | int64 | time.Duration](limit T) T {
	if limit == 0 {
		return -1
	}
	return limit
}
