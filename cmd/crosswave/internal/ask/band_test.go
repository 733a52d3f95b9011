package ask_test

import (
	"errors"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/ask"
)

// An answer of a derived question is an audience or a band of numbers.
func TestAnswer(t *testing.T) {
	f := frame(t)
	for _, c := range []struct{ text, want string }{
		{"gender:f", leaf("core.gender", `"f"`, "")},
		{"gender:16..25", `{"question":"gender","from":16,"to":25}`},
		{"Gender:-1.5..", `{"question":"gender","from":-1.5}`},
		{`"gender": ..1e3`, `{"question":"gender","to":1000}`},
		{"extra.both:..2", `{"question":"extra.both","to":2}`},
		{`{"question": "gender", "to": 25, "not": true}`, `{"question":"gender","to":25,"not":true}`},
	} {
		x, err := ask.Answer(f, c.text)
		if err != nil || string(audience.Print(x)) != c.want {
			t.Errorf("%s is %s (%v), want %s", c.text, audience.Print(x), err, c.want)
		}
	}
	for _, text := range []string{"gender", "gender:..", "gender:5..5", "gender:5..x", "gender:NaN..", "gender:0..Inf",
		"none:1..2", "waves:1..2", "q7/5:1..2", "gender:f:1..2", `{"question": "gender", "from": 2, "to": 1}`, "16..25"} {
		var wrong *ask.Error
		if x, err := ask.Answer(f, text); !errors.As(err, &wrong) {
			t.Errorf("%s is %v (%v)", text, x, err)
		}
	}
}
