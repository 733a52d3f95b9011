package storetest_test

import (
	"testing"

	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
)

func TestReference(t *testing.T) {
	if testing.Short() {
		t.Skip("the engines have the suite in short, and are compared with the reference")
	}
	suite := storetest.Suite{Studies: testsize.Of(2, 15, 50)}
	suite.Test(t, func(*testing.T) storetest.Engine { return new(naive.Store) })
}
