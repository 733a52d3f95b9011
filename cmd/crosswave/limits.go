package main

import (
	"cmp"
	"os"
	"runtime"
	"time"

	"github.com/crosswave/crosswave/httpapi"
)

// limits are the flags of what a request may cost, and what those of one user may cost others.
type limits struct {
	QueryTime      time.Duration `default:"30s" help:"The longest a request may take."`
	Rate           float64       `placeholder:"N" help:"${rate}"`
	Memory         int64         `default:"512" placeholder:"MIB" help:"${memory}"`
	SavedAudiences int           `default:"10000" placeholder:"N" help:"How many audiences a user may save; 0: no limit."`
	SavedSize      int64         `default:"16" placeholder:"MIB" help:"MiB of texts of all of them; 0 is no limit."`
	Derived        int           `name:"derived-questions" default:"1000" placeholder:"N" help:"${derivedquota}"`
	DerivedSize    int64         `default:"4" placeholder:"MIB" help:"MiB of texts of all of them; 0 is no limit."`
	Running        int           `placeholder:"N" help:"${running}"`
	RunningEach    int           `placeholder:"N" help:"${runningeach}"`
	Waiting        int           `default:"100" placeholder:"N" help:"${waiting}"`
	Wait           time.Duration `default:"10s" help:"${wait}"`
	Pace           int64         `default:"16" placeholder:"KIB" help:"${pace}"`
	Stall          time.Duration `default:"30s" help:"${stall}"`
}

// ofRequests are the limits as the API has them, in which 0 is not "no limit" but the default.
func (l limits) ofRequests() httpapi.Limits {
	running := cmp.Or(l.Running, max(1, runtime.GOMAXPROCS(0)-1))
	return httpapi.Limits{QueryTime: unlessZero(l.QueryTime), Rate: l.Rate, Pace: unlessZero(l.Pace << 10),
		Stall: unlessZero(l.Stall), Memory: unlessZero(l.Memory << 20),
		Running: running, RunningEach: cmp.Or(l.RunningEach, running),
		SavedAudiences: unlessZero(l.SavedAudiences), SavedBytes: unlessZero(l.SavedSize << 20),
		DerivedQuestions: unlessZero(l.Derived), DerivedBytes: unlessZero(l.DerivedSize << 20),
		Waiting: unlessZero(l.Waiting), Wait: unlessZero(l.Wait)}
}

// unlessZero is a flag's limit, where 0 is none.
func unlessZero[T int | int64 | time.Duration](limit T) T {
	if limit == 0 {
		return -1
	}
	return limit
}

// overlap has the Go scheduler run four times as many threads as there are processors, until the function that it
// returns is called. A count takes all processors, and large answers that are being formed take some more threads; a
// request that arrives meanwhile would wait for up to 10 ms until one of theirs is interrupted, and waits for much less
// where the system shares the processors out. Who has set GOMAXPROCS has what is set.
func overlap() (back func()) {
	before := runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(4 * before)
	}
	return func() { runtime.GOMAXPROCS(before) }
}
