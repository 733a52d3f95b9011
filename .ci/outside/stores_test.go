package main

import (
	"testing"

	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/storetest"
)

func TestShelf(t *testing.T) {
	storetest.TestSaved(t, func(*testing.T) saved.Store { return newShelf() })
}

func TestNews(t *testing.T) {
	storetest.TestInsights(t, func(_ *testing.T, f *insights.File) insights.Store { return newNews(f) })
}
