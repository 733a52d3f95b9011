package sqlite_test

import (
	"context"
	"fmt"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// A survey is imported into a store and counted.
func Example() {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	if _, err := survey.Import(ctx, demo.New(demo.Config{Respondents: 5000}), s, survey.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	tabs, err := audience.Tabulate(ctx, s, func(f *audience.Frame) ([]audience.Spec, error) {
		spec := audience.Spec{Rows: []audience.Expr{
			audience.Answers{Question: "gender"},
			audience.Not{X: audience.Answers{Question: "gender"}},
		}}
		return []audience.Spec{spec}, spec.Check(f)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	everyone, no := tabs[0].Cell(1, 0), tabs[0].Cell(2, 0)
	fmt.Println(everyone.Base.Sample, everyone.Row.Sample, no.Row.Sample)
	// Output: 5000 5000 0
}

// A key's secret is shown once. Whoever has it may use what the key grants.
func ExampleStore_CreateKey() {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	key, secret, err := s.CreateKey(ctx, sqlite.Key{Name: "reporting", Grant: audience.All()})
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := s.Authorize(ctx, secret)
	fmt.Println(found.Name, found.User, err)
	if err := s.RevokeKey(ctx, key.ID); err != nil {
		fmt.Println(err)
	}
	_, err = s.Authorize(ctx, secret)
	fmt.Println(err)
	// Output:
	// reporting 1 <nil>
	// the key was revoked: not found
}
