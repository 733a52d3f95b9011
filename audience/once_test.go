package audience

import (
	"context"
	"testing"
)

// reading counts how often the frame is read.
type reading struct {
	spy
	frames int
}

func (r *reading) Frame(context.Context) (*Frame, error) {
	r.frames++
	return r.frame, nil
}

// A restricted crosstab of nine rows reads the frame once and binds ten expressions, the base being the tenth, though
// they are checked first and planned then; asked again, it binds none.
func TestReadAndBoundOnce(t *testing.T) {
	st := &reading{spy: spy{frame: ragged(t)}}
	grant := Grant{Namespaces: []string{"core"}, Questions: []string{"*"}, Datapoints: []string{"*"},
		Locations: []string{"*"}, Waves: []string{"*"}}
	var spec Spec
	for _, code := range []string{"q", "old", "new", "grid"} {
		for _, datapoint := range []string{"1", "2"} {
			spec.Rows = append(spec.Rows, Answers{Question: code, Datapoints: []string{datapoint}})
		}
	}
	spec.Rows = append(spec.Rows, Waves{Codes: []string{"w1"}})
	for i := range 2 {
		_, err := Tabulate(t.Context(), Restrict(st, grant), func(f *Frame) ([]Spec, error) {
			return []Spec{spec}, spec.Check(f)
		})
		if err != nil {
			t.Fatal(err)
		}
		if st.frames != i+1 {
			t.Errorf("the frame was read %d times for %d crosstabs", st.frames, i+1)
		}
		// the columns' axis is empty: everyone stands in, as in the base
		if n := st.frame.For(grant).bindings.formed; n != 10 {
			t.Errorf("%d expressions were bound, not 10", n)
		}
	}
}

// What a grant leaves visible is found out once, and no more than so many grants are kept.
func TestFrameForGrants(t *testing.T) {
	f := ragged(t)
	only := func(wave string) Grant {
		return Grant{Namespaces: []string{"*"}, Questions: []string{"*"}, Datapoints: []string{"*"},
			Locations: []string{"*"}, Waves: []string{wave}}
	}
	first := f.For(only("w1"))
	if first == f || f.For(only("w1")) != first || f.For(All()) != f {
		t.Error("a frame is made anew for a grant, or one serves two")
	}
	if first.HidesWave(0) || !first.HidesWave(1) || f.HidesWave(1) {
		t.Error("the wrong waves are hidden")
	}
	if again := first.For(only("w2")); !again.HidesWave(0) || !again.HidesWave(1) {
		t.Error("what one grant hides another shows")
	}
	for i := range 2 * mostViews {
		f.For(only(string(rune('a' + i))))
	}
	if n := len(f.views.byKey); n != mostViews || f.views.recent.Len() != mostViews {
		t.Errorf("%d grants are kept", n)
	}
}

// Bindings are forgotten before they take much memory.
func TestBindingsAreBounded(t *testing.T) {
	f := ragged(t)
	long := make([]string, 1<<16)
	for i := range long {
		long[i] = "1"
	}
	for i := range 50 {
		if _, err := f.bind("rows[0]", And{Answers{Question: "q", Datapoints: long}, Waves{Codes: []string{"w1"},
			Min: i}}); err != nil {
			t.Fatal(err)
		}
		if f.bindings.bytes > 2*mostBound {
			t.Fatalf("%d bytes of texts are kept", f.bindings.bytes)
		}
	}
}

// What is formed of a survey is formed once for a version, whatever the grants; what is formed of a frame, for each.
func TestDerivedOnce(t *testing.T) {
	f := ragged(t)
	g := f.For(Grant{Namespaces: []string{"*"}, Questions: []string{"q"}, Datapoints: []string{"*"},
		Locations: []string{"*"}, Waves: []string{"*"}})
	type ofFrame struct{ *Frame }
	type ofSurvey struct{ *Survey }
	frames, surveys := 0, 0
	for _, f := range []*Frame{f, g, f, g} {
		one := Derive(f, func(f *Frame) ofFrame { frames++; return ofFrame{f} })
		two := DeriveSurvey(f, func(s *Survey) ofSurvey { surveys++; return ofSurvey{s} })
		if one.Frame != f || two.Survey != f.Survey {
			t.Error("what was derived is of another frame")
		}
	}
	if frames != 2 || surveys != 1 {
		t.Errorf("%d were formed of frames and %d of surveys, want 2 and 1", frames, surveys)
	}
}
