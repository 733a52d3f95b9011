package httpapi

import (
	"context"
	"errors"
	"fmt"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/saved"
)

// withStores is the Config with each of its stores set: that of its own where there is one, else Store, else, of saved
// audiences, derived questions and insights, one that has none.
func (c Config) withStores() (Config, error) {
	if c.Store != nil {
		if c.Framer == nil {
			c.Framer = c.Store
		}
		if c.Counter == nil {
			c.Counter = c.Store
		}
		if c.Saved == nil {
			c.Saved = c.Store
		}
		if c.Insights == nil {
			c.Insights = c.Store
		}
		if st, keeps := c.Store.(derived.Store); c.Derived == nil && keeps {
			c.Derived = st
		}
	}
	if c.Derived == nil {
		c.Derived = noDerived{}
	}
	if c.Framer == nil || c.Counter == nil {
		return c, errors.New("httpapi: Config.Store is required, or Framer and Counter in its place")
	}
	if c.Saved == nil {
		c.Saved = noSaved{}
	}
	if c.Insights == nil {
		c.Insights = noInsights{}
	}
	return c, nil
}

// noSaved is a saved.Store of a service that keeps no audiences: it has none, and can't be written to.
type noSaved struct{}

func (noSaved) Saved(_ context.Context, id string) (saved.Audience, error) {
	return saved.Audience{}, fmt.Errorf("saved audience %s: %w", id, audience.ErrNotFound)
}

func (noSaved) SavedFor(context.Context, string) ([]saved.Audience, error) { return nil, nil }

func (noSaved) InsertSaved(context.Context, saved.Audience) (saved.Audience, error) {
	return saved.Audience{}, audience.ErrReadOnly
}

func (noSaved) ReplaceSaved(context.Context, saved.Audience, int64) (saved.Audience, error) {
	return saved.Audience{}, audience.ErrReadOnly
}

func (noSaved) DeleteSaved(context.Context, string, int64) error { return audience.ErrReadOnly }

func (noSaved) Folders(context.Context, string) ([]saved.Folder, error) { return nil, nil }

func (noSaved) UserNumber(_ context.Context, user string) (int64, error) {
	if number, own := saved.OwnNumber(user); own {
		return number, nil
	}
	if err := saved.CheckUser(user); err != nil {
		return 0, err
	}
	return 0, audience.ErrReadOnly
}

// noDerived is a derived.Store of a service that keeps no derived questions: it has none, and can't be written to.
type noDerived struct{}

func (noDerived) Derived(_ context.Context, code string) (derived.Question, error) {
	return derived.Question{}, fmt.Errorf("derived question %q: %w", code, audience.ErrNotFound)
}

func (noDerived) DerivedFor(context.Context, string) ([]derived.Question, error) { return nil, nil }

func (noDerived) DerivedReaders(context.Context, string) ([]derived.Reader, error) { return nil, nil }

func (noDerived) InsertDerived(context.Context, derived.Question) error { return audience.ErrReadOnly }

func (noDerived) ReplaceDerived(context.Context, derived.Question, int64) error {
	return audience.ErrReadOnly
}

func (noDerived) DeleteDerived(context.Context, string, int64) error { return audience.ErrReadOnly }

// noInsights is an insights.Store of a service that publishes none.
type noInsights struct{}

func (noInsights) Insight(_ context.Context, id int64) (insights.Insight, error) {
	return insights.Insight{}, fmt.Errorf("insight %d: %w", id, audience.ErrNotFound)
}

func (noInsights) Insights(context.Context) ([]insights.Insight, error) { return nil, nil }

func (noInsights) Generic(_ context.Context, id string) (insights.Generic, error) {
	return insights.Generic{}, fmt.Errorf("generic insight %s: %w", id, audience.ErrNotFound)
}
