// Package clickhouse keeps respondents in ClickHouse, on one machine or several, and counts them there. Everything else
// (frame, catalogue, saved audiences, insights, keys) stays in the embedded store, which also publishes; nothing above
// Count knows the difference, and every figure has the same bytes.
//
// # When to move
//
// Not before one machine is too small: the embedded store answers from memory, many times faster. What several machines
// give is room and cores for surveys that no longer fit one. RUNNING.md has the figures to size them by.
//
// # What is stored where
//
// Each server has a table of its own, one for each embedded store:
//
//	id UInt64, wave UInt16, gen UInt64, loc UInt16, w0 Int64, e0 Int32, …, b0 UInt64, b1 UInt64, …,
//	l1 UInt8, m1 UInt8, h1 UInt64, l2 UInt8, …
//	ENGINE = MergeTree PARTITION BY (wave, gen) ORDER BY (loc, id)
//
// A respondent goes to shard intHash64(id) modulo the number of servers. w·10^-e is the weight in a namespace; b0, b1,
// … are words of 64 bits: an attribute with the number n is bit n mod 64 of word n / 64, which is set for those who
// are positive on it. A word is of as many questions as fit into it, and a statement reads only the words that it asks
// about. The number v·10^-e that a respondent gave to question 1 is the code 2v + 1, or -2v if v is negative: l1 is
// its lowest byte, m1 the next, and h1 what is above these and, from bit 48 on, e. So most columns of numbers are
// constant, or nearly, and a number takes a byte or two. The number in gen is that of the import: its generation in
// the embedded store and, in the last 28 bits, a random token. Which numbers stand for which codes, and which (wave,
// gen) count, is part of what the embedded store publishes, so its one commit makes a wave visible on all servers at
// once, or not at all, and no question counts what another store, or another copy of this one, has published. Rows of
// an import that was given up, or whose process was killed, are never counted: an import that is given up removes its
// own, and what a killed one left the next that publishes, an import or a withdrawal, removes when it has. Nothing is
// removed but what this store remembers to have begun, or has published. Weights and numbers are kept with all digits
// that matter and become integers as they are counted, so an import that changes the unit of a namespace or of a
// question rewrites no row. A table that was made before numbers were kept gets its columns for them with the next
// import that has such questions; what is in it by then has none.
//
// # Several imports at a time
//
// Any number of imports may be under way, each in a process of its own: they send their respondents at the same time,
// and publish one after the other. Each gives numbers to codes that have none on top of those that others under way
// were given, which the embedded store remembers. So one that another overtakes is published on top of that
// (survey.Follower), with what the servers have of it, and sends nothing again. Only of two that replace one wave, or
// bring the same fieldwork, the second is refused.
//
// # Two formats of answers
//
// Instead of words an import may fill arrays, d0 Array(UInt32), d1, …, with the numbers of the attributes the
// respondent is positive on, 64 or more attributes to a column and each question in one. Numbers that respondents gave
// stand in lists then: v0 Array(Int64), v1, … have those of 16 questions each, and n0 Array(UInt64), n1, … say of each
// of them to which question it was given and what its e is. An import takes arrays if words and numbers would be more
// than 256 columns, or by Config.Format (format=arrays in a DSN), and from then on its respondents are known to be of
// that format: those of several imports are counted side by side. Convert (crosswave clickhouse convert) stores all of
// them anew in one format. Words that were imported at first have lists of numbers, too, and are counted as they are
// until they are converted. A store that has words, or numbers in columns of their own, is not read by programs of
// before.
//
// Measured with 400,000 respondents of the demo survey, in seconds of processor time of all servers: three of version
// 18.16, and, the very same statements, one of version 26.7. Folded is what an engine is asked that wants no whole
// queries; rows is words with a line for each row of a respondent, as they were asked before there were patterns (see
// below). These were measured later, with 18.16 alone, beside other work. A respondent takes 293 bytes in arrays and
// 126 in words, 13 of which are numbers; as lists these are 34. Where servers compress with ZSTD they are 87.
//
//	                          18.16: folded  arrays   rows  patterns   26.7: folded  arrays   rows
//	20×20 neighbouring                 1.08    0.89   0.55      0.18           0.73    0.53   0.24
//	20×20 from all over                4.24    1.35   1.01      0.27           2.83    0.97   0.42
//	20×20 and-of-two                   7.35    0.83   0.64      0.31           4.36    0.61   0.35
//	20×20 from all over, squares       1.69    1.90   1.50      0.46           1.22    1.05   0.67
//	50×50 from all over               20.19    7.38   5.28      1.45          11.39    3.79   1.24
//
// Other shapes of the statement over words that were tried on 26.7, 20×20 from all over, each beside a line for each
// row in the same run:
//
//	sums for each column, a line for each row                                   1
//	everyone's rows × columns as lines, as with arrays                          1.35
//	a sum for each cell, a line for each stratum                                3.2
//	bitmaps (groupBitmap) of rows, columns and 31 bits of the weight            3.7
//	bitmaps, samples without weights                                            0.69
//	rows by the positions of their bits (bitPositionsToArray)                   1.1
//	sum(weight * condition) in place of sumIf                                   1.2; 50×50: 1.6
//	no compilation of expressions and aggregates                                1.0; 50×50: 1.1
//	another table: 64 respondents a word, 31 bits of the weight, bitCount       1.0
//
// # Whose the table is
//
// Beside the table each server has a record of the store that it belongs to and of what that store published last: an
// empty table, whose name is TABLE_owner_ID_OWNER_PUBLISHED. ID is the embedded store's, OWNER a random number that it
// was given when it first wrote, PUBLISHED the number of the import. Every import compares it before it begins, and
// renames it in the moment before it is published, which of several only one can. So the second store that is given one
// table is refused, and so is, of two copies of one store's file, the one that did not publish first: with an
// OwnerError, which says what to do. Questions are not refused: they count what their store has published, and if some
// of it is gone, as the other one has replaced it, that is a MissingError.
//
// After an older copy of the file was put back, or to go on with the copy that was refused, Adopt (crosswave clickhouse
// adopt) writes the record anew, and from then on it is the other one that is refused. The same helps where an import
// was killed, or the servers went away, between the record and the publication: the store is then taken for a copy. It
// changes no respondents unless it is told to remove those of others.
//
// Tables that were made before there were tokens have bare generations in a column gen of 32 bits. They are asked as
// they are. The first import of a store that has published respondents into such a table makes the record; what it has
// published by then is its own, and what killed imports left before stays until Adopt is told to remove it.
//
// # What is asked
//
// Each query is one statement, a large table several, cut by rows, and all strata are counted at once. A statement is a
// pass over all respondents whatever it asks, so the store wants whole queries (audience.WholeCounter): one a
// namespace, however ragged the coverage of its rows and columns is. The servers add up what is never told apart: a
// line of a result is a cell in a stratum, and fieldwork of which every figure takes all or nothing, divided by the
// same number of waves, is one stratum. Of every respondent the server makes a line for each pair of a row and a column
// that they are in, everyone being one of both, and groups the lines:
//
//	SELECT toUInt64(arrayJoin(arrayConcat([everyone], arrayFilter(a -> a >= 17 AND a <= 36, d3)))) * 16777216
//	    + toUInt64(arrayJoin(…)) AS k, count(), sum(w0)
//	FROM … WHERE wave = 3 AND gen = 8 AND w0 > 0 GROUP BY k
//
// A row or column that is one datapoint goes by its number as it stands in d3, so more of them cost nothing; others are
// conditions, which cost their evaluation for each respondent. So time grows with respondents, with the columns read,
// and with how many rows and columns a respondent is in, and hardly with the number of cells as such.
//
// Of respondents whose answers are words, a row or column is a condition on bits. Rows are put into groups of up to
// eight, and a respondent has a pattern in each group, with a bit for each of its rows. The server makes a line of each
// pattern that occurs, with sums for each column side by side, and from these, which are few, a line for each row:
//
//	SELECT toUInt64(bitAnd(p, 768)) * 2 + toUInt64(arrayJoin(bitmaskToArray(bitAnd(p, 255) + (bitAnd(p, 768) = 0) *
//	    256))) AS k, sumForEach(x)
//	FROM (SELECT arrayJoin([toUInt16(bitOr(toUInt16(bitAnd(b3, 4) != 0), …)), …]) AS p,
//	        [sum(toUInt64(w0) * 2097152 + 1), sumIf(toUInt64(w0) * 2097152 + 1, bitAnd(b5, 1) != 0), …] AS x
//	    FROM … WHERE wave = 3 AND gen = 9 AND w0 > 0 GROUP BY p)
//	GROUP BY k
//
// Weights and respondents are one sum of 64 bits, as here, where both have room in it, as what was published tells: for
// all that is asked about, or for each wave by itself; else they are two. So a respondent costs the conditions, and a
// sum for each group of rows and column; beside that a statement costs a server, at version 18.16, 40 (20×20) to 130 ms
// (50×50) of processor time for being read and planned, however few respondents there are.
//
// What has many rows and few columns, such as the profile of an audience, has no sums for columns: they are bits of the
// patterns' lines, as rows are, and a line is a group of up to eight rows. The SELECT around it tells them apart:
//
//	SELECT … AS k, [sum(x), sumIf(x, bitTest(p, 21))]
//	FROM (SELECT arrayJoin([…]) + … + toUInt64(column) * 2097152 AS p, sum(toUInt64(w0) * 2097152 + 1) AS x
//	    FROM … GROUP BY p)
//	GROUP BY k
//
// With up to three such columns a line of the answer is one of a group and a pattern of the columns, with a sum for
// each of the group's rows, sumIf(x, bitTest(p, 0)) and so on: fewer lines, and the store tells the columns apart.
//
// Rows that are all about one number, as a summary's are (its digits, pairs of them, and bands), have no patterns: a
// line is a number, as far as the rows look at its digits, with sums for each column, and the store knows what rows a
// number is in.
//
// What is wide is turned, if that is faster: the patterns are of the columns, with sums for each row, or with rows as
// bits. A statement has 128 rows of few columns, or sums for 64 columns, as what an older server does for a block of
// respondents grows with the square of its sums. Where there are hardly more patterns than rows these are the lines of
// the answer, and one SELECT does. A profile of all attributes of 1.6 million, with squares, takes three servers of
// version 18.16 12 s of a processor so, where it took 25 s turned and with sums for each row.
//
// The very same statements were run on one server with 533,000 respondents of words, of version 18.16 and 26.7, in
// seconds of processor time of all of a question's statements; every answer was the same. Before is with a sum for each
// column, written by itself in the SELECT around it.
//
//	                                     18.16: before  now   26.7: before  now
//	20×20 from all over                          0.21  0.23           0.13  0.12
//	20×20 and-of-two                             0.23  0.21           0.14  0.11
//	20×20 nested                                 0.41  0.39           0.21  0.16
//	20×20 from all over, squares                 0.47  0.41           0.26  0.26
//	50×50 from all over                          1.00  1.00           0.49  0.47
//	50 answers, squares                          0.51  0.27           0.30  0.16
//	50 answers by three                          0.24  0.16           0.17  0.09
//	a profile, squares                           9.21  4.03           6.02  2.37
//	a summary of numbers, squares                0.81  0.57           0.62  0.48
//
// Since then the parts of a line's key that all its groups share stand before them, as servers take them in this order:
// the profile took 4.2 and 2.5 s after the others, and takes 3.5 and 2.3 s before them. With sums for rows, and 16
// groups of them in a statement in place of 8, it takes as long on 18.16, and 0.87 of the time on 26.7. A summary, by
// its number, takes a third of the time on either.
//
// So a server of today takes two fifths to two thirds of the time, and where there is little to add up hardly less: to
// read the words of a 20×20 from all over takes either 20 to 30 ms, and to plan it 15 to 20. None of this helped 26.7
// by more than runs differ from each other: its older analyzer (enable_analyzer = 0); no optimizations of queries, of
// conditions (PREWHERE) or of aggregates; compiling nothing, or all at once; one thread; blocks of 16,384 and 131,072
// respondents; no aggregation in two levels. Nor did other shapes, 20×20 from all over and 50×50, each beside the one
// kept, in the same run:
//
//	                                                            18.16         26.7
//	rows and columns as bits, of 5 each: a line a pair         0.9; 2.4     1.0; 2.2
//	of 7 each                                                  1.1; 3.0     1.4; 3.4
//	groups by GROUPING SETS in place of arrayJoin                    no     0.9
//	a SELECT a group, joined by UNION ALL                           1.5     1.8
//
// A question about respondents of both formats takes statements of both.
//
// A binary digit of a question's numbers (audience.Slice) is a condition like any other: the number is formed of its
// columns, or looked up by its key, brought to the frame's unit by a multiplication or a division of integers, and the
// digit is tested; several digits of one number are one comparison.
//
// Sums of squared weights, which say how sure figures are, are added up in the same statements where they are asked
// for: as integers of 64 bits, whole or in halves, where these have room, and else as decimals of 38 digits, as older
// servers have no integers of 128 bits. Counting each fieldwork by itself, as they
// need it, takes about half as long again, the sums a sixth of that more, and 16 bytes a line.
//
// # Two modes
//
// Without Config.Cluster each server is asked for its own table and the answers are added here: prefer it, as each
// server then has a deadline of its own and an error names the one that failed. With Config.Cluster one server asks the
// others through a Distributed table, whose servers must be those of Config.Addresses; if that table is dropped, the
// next question makes it again. Either way a server that fails makes the answer an error, never a part of one.
//
// # Faults
//
// A server that can't be reached, does not say who it is within five seconds, has no memory or no place for a
// statement, or lets nobody in, is an audience.ErrNoAnswer, which is 503 unavailable over HTTP. One that hangs costs
// the first question its time limit; meanwhile it is found out by a ping that nothing comes back from, and from then
// on questions are refused at once until it answers the pings that go on every second. Respondents that were
// published and are not there any more are a MissingError, which is 500, as asking again does not help: Check
// (crosswave clickhouse check) names the server. Imports are refused beside them before they change anything, unless
// they replace just what is lost; so a backup that is put back still fits. What an import leaves that is given up is
// removed at all servers that can be reached, and at the others by the next. Ready tells what a question would meet.
//
// # Settings
//
// Sent with every statement: skip_unavailable_shards = 0, max_execution_time, max_query_size and the limits of the
// syntax tree, and, if configured, max_memory_usage and max_threads; with every question also the overflow modes =
// 'throw', so that no limit of a server cuts an answer short. Not sent, and worth looking at on the servers:
// max_concurrent_queries, and background_pool_size while imports run.
//
// # Replicas
//
// A shard may be several servers (host1a|host1b,host2a|host2b) that each have all of it in a ReplicatedMergeTree, which
// they keep alike by way of ZooKeeper or ClickHouse Keeper: each has the macros shard, the same on replicas, and
// replica, its own name, in its settings. A question asks one replica of each shard, the same for all of it and for
// whether all respondents are there, and is asked anew of another if that one can't be reached, hangs, or is behind. An
// import sends a block to another replica if the first dies, which knows if it has been given it already. If a replica
// dies in the moment between taking a block and passing it on, and so that nobody else has it, the import fails and
// changes nothing. One replica of a shard is enough for everything; one that comes back is given what it missed by the
// others, and the record of its owner by the next import. Before it publishes an import waits some seconds for all
// replicas that are there to have what it brought, but not for those that are away. With Config.Cluster there are no
// replicas: a Distributed table would choose among them by itself, also one that is behind.
//
// # Another shard, and backup
//
// To add a server, copy what is there into a new table (Config.Table) that all of them have: Take (crosswave
// clickhouse copy --to) reads it back and publishes it there at once. A backup is one of the embedded store
// (sqlite.Store.Backup, crosswave backup; a copy of its file lacks what is still in the log beside it) and, taken
// after it, ALTER TABLE … FREEZE on each server; while no import runs they fit. A file that is put back beside servers
// that went on has to adopt its table (Adopt) before it imports. At every question the servers are asked whether they
// have all respondents of the version: what was lost, or is older than the file, is a MissingError and not a smaller
// number.
package clickhouse
