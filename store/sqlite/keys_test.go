package sqlite

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
)

func TestKeys(t *testing.T) {
	s := openStore(t, Memory, Config{})
	if keys, err := s.ListKeys(t.Context()); err != nil || len(keys) != 0 {
		t.Fatal("a new store has keys:", keys, err)
	}
	first, secret, err := s.CreateKey(t.Context(), Key{Name: "first", Grant: audience.All()})
	check(t, err)
	if first.User != "1" || first.ID == 0 || !strings.HasPrefix(secret, "crosswave_") || len(secret) != len("crosswave_")+
		43 {
		t.Errorf("key %+v with secret %q", first, secret)
	}
	second, other, err := s.CreateKey(t.Context(), Key{Name: "second", User: "7",
		Grant: audience.Grant{Waves: []string{"w1"}, MinSample: 30}, Expires: time.Now().Add(time.Hour)})
	check(t, err)
	third, late, err := s.CreateKey(t.Context(), Key{Name: "late", Expires: time.Now().Add(-time.Second)})
	check(t, err)
	keys, err := s.ListKeys(t.Context())
	check(t, err)
	if diff := cmp.Diff([]Key{first, second, third}, keys); diff != "" {
		t.Error(diff)
	}
	for secret, want := range map[string]Key{secret: first, other: second} {
		got, err := s.Authorize(t.Context(), secret)
		check(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	refused := func(secret string, want error) {
		t.Helper()
		if _, err := s.Authorize(t.Context(), secret); !errors.Is(err, want) || !errors.Is(err, audience.ErrNotFound) {
			t.Errorf("secret %q: %v", secret, err)
		}
	}
	refused("", ErrKeyUnknown)
	refused("crosswave_", ErrKeyUnknown)
	refused(secret+"x", ErrKeyUnknown)
	refused(strings.TrimPrefix(secret, "crosswave_"), ErrKeyUnknown)
	refused(late, ErrKeyExpired)
	check(t, s.RevokeKey(t.Context(), first.ID))
	check(t, s.RevokeKey(t.Context(), first.ID))
	refused(secret, ErrKeyRevoked)
	if err := s.RevokeKey(t.Context(), 99); !errors.Is(err, ErrKeyUnknown) {
		t.Error("a key that there is none of was revoked:", err)
	}
	if keys, err := s.ListKeys(t.Context()); err != nil || keys[0].Revoked.IsZero() || !keys[1].Revoked.IsZero() {
		t.Errorf("after revoking the first: %+v, %v", keys, err)
	}
	var leaked int
	check(t, s.read.QueryRow(`SELECT count(*) FROM key WHERE instr(name || allowed || hex(hash), ?) > 0`,
		secret[10:]).Scan(&leaked))
	if leaked > 0 {
		t.Error("a secret is stored")
	}
}
