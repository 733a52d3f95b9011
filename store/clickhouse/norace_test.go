//go:build !race

package clickhouse_test

// raced: the race detector is on.
const raced = false
