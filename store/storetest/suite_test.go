package storetest_test

import (
	"testing"

	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
)

func TestReference(t *testing.T) {
	storetest.Test(t, func(*testing.T) storetest.Engine { return new(naive.Store) })
}
