package sqlite

import "context"

// Stats is about a store and what of it is in memory.
type Stats struct {
	Version     uint64
	Chunks      int
	Respondents int64 // of all waves and namespaces
	Columns     int64 // stored, of all chunks
	FileBytes   int64 // of the file, without what is on its way into it (the -wal file)
	FreeBytes   int64 // of these, room that was left by what is gone and that the next import uses
	Kernel      string
	Threads     int
	Cache       CacheStats
}

// Stats tells about the store as it is now.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	r, err := s.refresh(ctx)
	if err != nil {
		return Stats{}, err
	}
	st := Stats{Version: r.version, Chunks: len(r.chunks), Kernel: s.kernel.Name(), Threads: s.config.Threads,
		Cache: s.cache.snapshot()}
	for _, c := range r.chunks {
		st.Respondents += int64(c.respondents)
		st.Columns += int64(len(c.columns))
	}
	var page, pages, free int64
	err = s.read.QueryRowContext(
		ctx, `SELECT (SELECT page_size FROM pragma_page_size), (SELECT page_count FROM pragma_page_count),
		(SELECT freelist_count FROM pragma_freelist_count)`).Scan(&page, &pages, &free)
	st.FileBytes, st.FreeBytes = page*pages, page*free
	return st, err
}
