package main

import (
	"context"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/httpapi"
)

// asking is the flags of commands that ask questions of a store.
type asking struct {
	database
	distributed
	readOnly
	threaded
}

// session is a store that is open to be asked, wherever its respondents are.
type session struct {
	store  audience.Store
	config httpapi.Config  // to be asked as over HTTP
	frame  *audience.Frame // as it was when the session began, for the codes of flags
	close  []func() error
}

// begin opens the store, and the servers that have its respondents if any are named.
func (a asking) begin(ctx context.Context, m Main) (*session, error) {
	db, err := a.openWith(ctx, a.DB, a.threaded.config(), m)
	if err != nil {
		return nil, err
	}
	s := &session{store: db, config: httpapi.Config{Store: db, Encoders: encoders()}, close: []func() error{db.Close}}
	shards, err := a.with(ctx, db)
	if err != nil {
		s.end()
		return nil, err
	}
	if shards != nil {
		s.close = append(s.close, shards.Close)
		s.store, s.config.Counter = audience.Pair(db, shards), shards
	}
	s.store = audience.Extend(s.store, func(ctx context.Context) (string, []audience.Definition, error) {
		return derived.Definitions(ctx, db, us)
	})
	if s.frame, err = s.store.Frame(ctx); err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

// end closes what begin has opened, the last first.
func (s *session) end() {
	for i := len(s.close) - 1; i >= 0; i-- {
		s.close[i]()
	}
}
