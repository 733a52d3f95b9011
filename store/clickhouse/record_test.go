package clickhouse

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A record is read back from its name, and nothing else is taken for one.
func TestRecord(t *testing.T) {
	s := &Store{table: "surveys.t"}
	want := record{"6c3ecfe98c333125", 1<<64 - 1, 0x30 << tokenBits}
	name := s.name(want)
	if name != "surveys.t_owner_6c3ecfe98c333125_ffffffffffffffff_0000000300000000" {
		t.Error(name)
	}
	got, ok := readRecord(strings.TrimPrefix(name, "surveys.t_owner_"))
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(record{})); diff != "" || !ok {
		t.Errorf("read back: %v\n%s", ok, diff)
	}
	for _, text := range []string{"", "a", "_ffffffffffffffff_0000000300000000", "a_ffffffffffffffff_00000003000000",
		"a_ffffffffffffffff-0000000300000000", "a_fffffffffffffffg_0000000300000000", "a-ffffffffffffffff_0000000300000000",
		"a_+fffffffffffffff_0000000300000000"} {
		if r, ok := readRecord(text); ok {
			t.Errorf("%q is taken for %v", text, r)
		}
	}
}

// The numbers of imports have the generation in front, fit beside a wave's number, are above those of imports without a
// token, and are none that are taken.
func TestNumber(t *testing.T) {
	none := func(uint64) bool { return false }
	for _, generation := range []int64{1, 77, 1<<generationBits - 1} {
		a, errA := number(generation, false, none)
		b, errB := number(generation, false, none)
		if errA != nil || errB != nil || a == b || a>>tokenBits != uint64(generation) || b>>tokenBits != a>>tokenBits ||
			a>>numberBits != 0 {
			t.Errorf("generation %d: %x and %x, %v, %v", generation, a, b, errA, errB)
		}
		n, err := number(generation, true, none)
		if err != nil || n>>narrowBits != 0 || n < narrowToken {
			t.Errorf("generation %d in 32 bits: %x, %v", generation, n, err)
		}
	}
	for _, generation := range []int64{-1, 0, 1 << generationBits} {
		if n, err := number(generation, false, none); err == nil {
			t.Errorf("generation %d: %x", generation, n)
		}
	}
	var first uint64
	n, err := number(1, false, func(n uint64) bool {
		taken := first == 0
		if taken {
			first = n
		}
		return taken
	})
	if err != nil || n == first {
		t.Errorf("%x after %x was taken, %v", n, first, err)
	}
}

// What tells published respondents from others names pairs of a wave and an import only where it has to, and keeps the
// two apart in one integer.
func TestLiveCondition(t *testing.T) {
	a, b := uint64(5<<tokenBits|1), uint64(6<<tokenBits|2)
	for _, c := range []struct {
		live live
		want string
	}{
		{live{[]uint16{3}, []uint64{a}}, "wave = 3 AND gen = 1342177281"},
		{live{[]uint16{4, 3}, []uint64{a, a}}, "(wave >= 3 AND wave <= 4) AND gen = 1342177281"},
		{live{[]uint16{3, 3}, []uint64{b, a}}, "wave = 3 AND (gen = 1342177281 OR gen = 1610612738)"},
		{live{[]uint16{1, 65535}, []uint64{a, b}}, "(wave = 1 OR wave = 65535) AND gen >= 1342177281 AND " +
			"gen <= 1610612738 AND (toUInt64(wave) * 281474976710656 + gen = 281476318887937 OR " +
			"toUInt64(wave) * 281474976710656 + gen = 18446462600343453698)"},
	} {
		if got := c.live.condition(); got != c.want {
			t.Errorf("%v:\n%s, want\n%s", c.live, got, c.want)
		}
	}
}
