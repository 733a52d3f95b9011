// Package clickhouse keeps respondents in ClickHouse, on one machine or several, and counts them there. Everything else (frame, catalogue, saved audiences, insights, keys) stays
// in the embedded store, which also publishes; nothing above Count knows the difference, and every figure has the same bytes.
//
// # When to move
//
// Not before one machine is too small: the embedded store answers from memory. What several machines give is room and cores for surveys that no longer fit one. The package is
// young: it passes the conformance suite, and its times have not been worked on.
//
// # What is stored where
//
// Each server has a table of its own, one for each embedded store:
//
//	id UInt64, wave UInt16, gen UInt32, loc UInt16, w0 Int64, e0 Int32, …, dp Array(UInt32)
//	ENGINE = MergeTree PARTITION BY (wave, gen) ORDER BY (loc, id)
//
// A respondent goes to shard intHash64(id) modulo the number of servers. w·10^-e is the weight in a namespace, dp the numbers of the attributes the respondent is positive
// on. Which numbers stand for which codes, and which (wave, gen) count, is part of what the embedded store publishes, so its one commit makes a wave visible on all servers at once, or
// not at all. Rows of an import that was given up are never counted, and the next import removes them. Weights are kept with all digits that matter and become integers as
// they are counted, so an import that changes a namespace's unit rewrites no row.
//
// # Two modes
//
// Without Config.Cluster each server is asked for its own table and the answers are added here: prefer it, as each server then has a deadline of its own and an error names the one
// that failed. With Config.Cluster one server asks the others through a Distributed table, whose servers must be those of Config.Addresses. Either way a server
// that fails makes the answer an error, never a part of one.
//
// # Settings
//
// Sent with every statement: skip_unavailable_shards = 0, max_execution_time, max_query_size and the limits of the syntax tree, and, if configured, max_memory_usage and max_threads. Not sent,
// and worth looking at on the servers: max_concurrent_queries, and background_pool_size while imports run. Replication is left to the storage below.
//
// # Another shard, and backup
//
// Rows are not moved between servers. To add one, import again, or copy, into a new table (Config.Table) that names all servers. A backup is a copy of the embedded store's file and,
// taken after it, ALTER TABLE … FREEZE on each server; while no import runs they fit. A version is counted only if the servers have all its respondents: what was lost, or is older than
// the file, is a MissingError and not a smaller number.
package clickhouse
