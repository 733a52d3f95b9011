// Package sqlite is the embedded engine: one SQLite file that holds a survey, its respondents' answers, their weights
// and the keys of those who may ask. It implements audience.Store (who counts) and survey.Store (who imports), without
// cgo.
//
// # Answers are columns
//
// Respondents are stored in chunks. A chunk is of one wave (a wave may have several chunks) and never changes. Inside
// it respondents stand by location, and every location's run starts on a multiple of 64, so that fieldwork is a range
// of whole words. For each attribute that anybody in the chunk is positive on there is a column: a bitmap, or, if few
// are, their sorted positions. In the file, bitmaps share rows, and those of a question to which nobody in the chunk
// gave two answers are stored as the binary digits of which answer it is (rows.go). Counting reads columns and never a
// row per respondent. Columns are known by the attribute's codes, so a later version may number questions, waves and
// locations anew without touching a chunk.
//
// Weights are stored exactly as written and, for counting, as integers in the unit of each namespace; the integers are
// named by the unit, so that a new unit does not disturb those who count with the old one.
//
// Numbers are stored exactly, too, once for a question and chunk, and in no unit. Slices, bitmaps of who has a 1 in a
// binary digit, are cut from them when a Count first asks for any, in the unit of its version, and are kept in memory
// as columns are.
//
// # Versions
//
// What is published is one row: the survey, the Frame and the list of live chunks. An import writes chunks that no list
// names; its last transaction replaces the row, and that is the moment at which everyone, in this process or another,
// sees all of it. A process that dies before leaves chunks that nobody reads and that the next import or Open removes.
// Chunks that are no longer listed go as soon as no Count in the process that retired them uses them; a Count in
// another process then finds them missing and returns audience.ErrChanged.
//
// # Damage
//
// Everything that figures are made of carries a checksum over its name and its contents, and a chunk lists the columns
// it has. Bytes that changed, moved or went missing are a DamagedError, never another number.
//
// So do the rows of keys with their grants, users, saved audiences, folders and insights. What such a row is found by
// stands in it twice, so that one in which that changed is a DamagedError too, and does not seem not to be there.
//
// # Keeping
//
// The file is not all of a store that is open: what was written last is in the log beside it. Backup makes a file of
// one moment, while others write; Restore puts it back; both check it whole (Check) first. Compact gives room
// back, and RemoveRespondent forgets somebody, by a fingerprint of their id: ids are not stored.
//
// # Counting
//
// A Count takes the distinct expressions of all its queries once, and for each chunk folds away what the wave and the
// absence of columns settle. What is left names the columns to load, in parallel and, where there are more processors
// than threads, ahead of counting, through a cache with a byte budget that all queries share. Then blocks of up to
// 8,192 respondents of one stratum are evaluated to bitmaps and counted, row by column, by package kernel. Threads take
// blocks as they come; partial tables are integers and add up, so the number of threads, the order and the chunks leave
// no trace in a result.
//
// While counts of few cells are under way, those of many leave a processor to them between blocks.
package sqlite
