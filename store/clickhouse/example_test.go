package clickhouse_test

import (
	"context"
	"fmt"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// The embedded store keeps the frame, the servers keep the respondents and count them; for a program that asks they are
// one store. It needs two servers, so it is not run.
func Example() {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, "survey.db", sqlite.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	config, err := clickhouse.ParseDSN("clickhouse://host1:9000,host2:9000/surveys")
	if err != nil {
		fmt.Println(err)
		return
	}
	shards, err := clickhouse.Open(ctx, db, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer shards.Close()

	// Respondents go to the servers, and become visible on all of them at once.
	if _, err := survey.Import(ctx, demo.New(demo.Config{Respondents: 5000}), shards, survey.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	counts, err := stats.WaveCounts(ctx, shards, stats.WaveRequest{Expression: audience.Answers{Question: "gender"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(counts.Audience.Sample, counts.Audience.Size)
}
