package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseRefuses(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		// No JSON.
		{"", "the text is empty; a JSON value is expected (line 1, column 1)"},
		{" \n ", "the text is empty; a JSON value is expected (line 2, column 2)"},
		{"\ufeff{}", "the text begins with a byte order mark; JSON has none (line 1, column 1)"},
		{"hello", "a value is expected, not hello (line 1, column 1)"},
		{"tru", "a value is expected, not tru (line 1, column 1)"},
		{"True", "a value is expected, not True (line 1, column 1)"},
		{"truely", "the text must end after its value; there is ly (line 1, column 5)"},
		{"{} {}", "the text must end after its value; there is '{' (line 1, column 4)"},
		{"1,", "the text must end after its value; there is ',' (line 1, column 2)"},
		{"[1]]", "the text must end after its value; there is ']' (line 1, column 4)"},
		{"]", "a value is expected, not ']' (line 1, column 1)"},
		{"[", "[0]: the text ends where a value is expected (line 1, column 2)"},
		{"[1", "the text ends inside an array; a comma or ] is expected (line 1, column 3)"},
		{"[1}", "a comma or ] is expected, not '}' (line 1, column 3)"},
		{"[1,]", "[1]: a value is expected, not ']' (line 1, column 4)"},
		{"[,1]", "[0]: a value is expected, not ',' (line 1, column 2)"},
		{"[1 2]", "a comma or ] is expected, not '2' (line 1, column 4)"},
		{"[1,\n 2,\n /* no */ 3]", "[2]: a value is expected, not '/' (line 3, column 2)"},
		{"{", "the text ends where a member name is expected (line 1, column 2)"},
		{`{"a"`, "a: the text ends where a colon is expected (line 1, column 5)"},
		{`{"a" 1}`, "a: a colon is expected after the member name, not '1' (line 1, column 6)"},
		{`{"a":`, "a: the text ends where a value is expected (line 1, column 6)"},
		{`{"a":}`, "a: a value is expected, not '}' (line 1, column 6)"},
		{`{"a":1`, "the text ends inside an object; a comma or } is expected (line 1, column 7)"},
		{`{"a":1]`, "a comma or } is expected, not ']' (line 1, column 7)"},
		{`{"a":1,}`, "a member name in double quotes is expected, not '}' (line 1, column 8)"},
		{`{"x":{"a":1 "b":2}}`, "x: a comma or } is expected, not a string (line 1, column 13)"},
		{`{a:1}`, "a member name in double quotes is expected, not 'a' (line 1, column 2)"},
		{`{'a':1}`, "a member name in double quotes is expected, not a single quote (line 1, column 2)"},
		{`{"x":[{"y":1},{1:2}]}`, "x[1]: a member name in double quotes is expected, not '1' (line 1, column 16)"},
		{"[\x00]", "[0]: a value is expected, not U+0000 (line 1, column 2)"},
		{"[\u00a0]", "[0]: a value is expected, not U+00A0 (line 1, column 2)"},
		// Strings.
		{`"abc`, "the string that begins here does not end (line 1, column 1)"},
		{`{"abc`, "the member name that begins here does not end (line 1, column 2)"},
		{`"a\`, "the text ends inside an escape (line 1, column 3)"},
		{`"\x"`, `unknown escape; \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits are known (line 1, column 2)`},
		{`["\u12g4"]`, `[0]: four hexadecimal digits are expected after \u (line 1, column 3)`},
		{`"\u12"`, `four hexadecimal digits are expected after \u (line 1, column 2)`},
		{`"\ud800"`, "the escape is half of a surrogate pair; the other half is missing (line 1, column 2)"},
		{`"\ud800\ud800"`, "the escape is half of a surrogate pair; the other half is missing (line 1, column 2)"},
		{`"\udc00\ud800"`, "the escape is half of a surrogate pair; the other half is missing (line 1, column 2)"},
		{`{"a":1,"\udfff":2}`, "a: the escape is half of a surrogate pair; the other half is missing (line 1, column 9)"},
		{"[\"é\n\"]", `[0]: a control character (0x0A) stands in a string; it is written \u000a (line 1, column 4)`},
		{"[\"éé\xff\"]", "[0]: the byte 0xFF is not UTF-8; JSON is UTF-8 text (line 1, column 5)"},
		{"[\"\xed\xa0\x80\"]", "[0]: the byte 0xED is not UTF-8; JSON is UTF-8 text (line 1, column 3)"},
		{"[\"\xc0\xaf\"]", "[0]: the byte 0xC0 is not UTF-8; JSON is UTF-8 text (line 1, column 3)"},
		{"[\"\xf4\x90\x80\x80\"]", "[0]: the byte 0xF4 is not UTF-8; JSON is UTF-8 text (line 1, column 3)"},
		{"[\"\xe2\x82", "[0]: the byte 0xE2 is not UTF-8; JSON is UTF-8 text (line 1, column 3)"},
		{"[\xff]", "[0]: a value is expected, not the byte 0xFF, which is not UTF-8 (line 1, column 2)"},
		// Numbers.
		{"-", "a digit is expected, not the end of the text (line 1, column 2)"},
		{"-x", "a digit is expected, not 'x' (line 1, column 2)"},
		{"+1", "a value is expected, not '+' (line 1, column 1)"},
		{".5", "a value is expected, not '.' (line 1, column 1)"},
		{"01", "a number has no leading zeros (line 1, column 1)"},
		{"-00", "a number has no leading zeros (line 1, column 1)"},
		{"1.", "a digit is expected after the decimal point, not the end of the text (line 1, column 3)"},
		{"[1.e5]", "[0]: a digit is expected after the decimal point, not 'e' (line 1, column 4)"},
		{"1e", "a digit is expected in the exponent, not the end of the text (line 1, column 3)"},
		{"[1e+]", "[0]: a digit is expected in the exponent, not ']' (line 1, column 5)"},
		{"0x10", "the text must end after its value; there is 'x' (line 1, column 2)"},
		{"[NaN]", "[0]: a value is expected, not NaN (line 1, column 2)"},
		{"[-Infinity]", "[0]: a digit is expected, not Infinity (line 1, column 3)"},
		{`{"a":[0,1e999]}`, "a[1]: the number 1e999 is too large; at most about 1.8e308 is (line 1, column 9)"},
		{"-1.8e308", "the number -1.8e308 is too large; at most about 1.8e308 is (line 1, column 1)"},
		{"1e99999999999999999999999", "the number 1e99999999999999999999999 is too large; at most about 1.8e308 is " +
			"(line 1, column 1)"},
		{"1" + strings.Repeat("0", 309), "the number 1" + strings.Repeat("0", 79) +
			"… is too large; at most about 1.8e308 is (line 1, column 1)"},
		// Members that are there twice.
		{`{"a":1,"a":1}`, "a: this member is there twice; an object has each name once (line 1, column 8)"},
		{`{"a":1,"b":2,"\u0061":1}`, "a: this member is there twice; an object has each name once (line 1, column 14)"},
		{`{"\n":1,"\u000A":1}`, `["\n"]: this member is there twice; an object has each name once (line 1, column 9)`},
		{`{"😀":1,"\ud83d\ude00":1}`, `["😀"]: this member is there twice; an object has each name once (line 1, column 8)`},
		{`{"":1,"":1}`, `[""]: this member is there twice; an object has each name once (line 1, column 7)`},
		{`{"x":[{"y":{"a":{"a":1},"a":2}}]}`, "x[0].y.a: this member is there twice; an object has each name once " +
			"(line 1, column 25)"},
		{`{"a":{"b":1,"c":2},"d":3,"a":4}`, "a: this member is there twice; an object has each name once (line 1, " +
			"column 26)"},
	} {
		v, err := Parse([]byte(test.text))
		var e *Error
		if !errors.As(err, &e) || !e.Syntax || e.Error() != test.want {
			t.Errorf("%.60q:\n got %v\nwant %s", test.text, err, test.want)
		}
		if v.Exists() || v.Raw() != "" {
			t.Errorf("%.60q gives a value", test.text)
		}
	}
}

func TestParseReadsExactly(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "1e308", "-1.7976931348623157e308", "1e-999", "0e999", "0.1E+2", "9007199254740993", "true", "false",
		"null", `""`, `"\u0000"`,
		`"\ud83d\ude00\/\b\f\n\r\t\"\\"`, "\"\u2028\u007f\ufeff\ufffd\"", "[]", "{}", "[[],{}]",
		`{"a":{"a":{"a":1}},"b":{"a":1}}`, `{"a":1,"A":2," a":3}`, "{\"\u00e1\":4,\"a\u0301\":5}",
		"1" + strings.Repeat("0", 308), "0." + strings.Repeat("0", 400) + "1", strings.Repeat("[", Depth) +
			strings.Repeat("]", Depth),
	} {
		v, err := Parse([]byte(" \t\r\n" + text + "\n"))
		if err != nil {
			t.Errorf("%.60q: %v", text, err)
		} else if v.Raw() != text {
			t.Errorf("%.60q is %.60q", text, v.Raw())
		}
	}
}

func TestDepth(t *testing.T) {
	mixed := func(n int) []byte {
		return []byte(strings.Repeat(`{"a":[`, n/2) + strings.Repeat("]}", n/2))
	}
	for _, test := range []struct {
		text  []byte
		depth int
		want  string
	}{
		{mixed(200), Depth, ""},
		{mixed(202), Depth, strings.Repeat("a[0].", 99) + "a[0]: nested more than 200 levels deep (line 1, column 601)"},
		{mixed(6), 6, ""},
		{mixed(6), 5, "a[0].a[0].a: nested more than 5 levels deep (line 1, column 18)"},
		{[]byte("1"), 0, ""},
		{[]byte("[]"), 0, "nested more than 0 levels deep (line 1, column 1)"},
		{[]byte("[[],[],[]]"), 2, ""},
		{bytes.Repeat([]byte("["), 20<<20), Depth, strings.Repeat("[0]", 200) +
			": nested more than 200 levels deep (line 1, column 201)"},
		{mixed(2_000_000), 2_000_000, ""},
	} {
		_, err := ParseDepth(test.text, test.depth)
		if got := fmt.Sprint(err); got != test.want && (err != nil || test.want != "") {
			t.Errorf("%.30s… at depth %d: %.300v, want %s", test.text, test.depth, err, test.want)
		}
	}
}

// TestDuplicatesOfMany goes over the number of members from which names are hashed, with the repeated name anywhere.
func TestDuplicatesOfMany(t *testing.T) {
	for _, n := range []int{1, 2, few - 1, few, few + 1, 2 * few, 2*few + 1, 31, 32, 33} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"m%d":{"m0":0,"m1":1,"m2":2,"m3":3,"m4":4,"m5":5,"m6":6,"m7":7,"m8":8,"m9":9},`, i)
		}
		for i := range n {
			for _, again := range []string{"m%d", `\u006d%d`} {
				again = fmt.Sprintf(again, i)
				_, err := Parse([]byte("{" + b.String() + `"` + again + `":[]}`))
				var e *Error
				if !errors.As(err, &e) || e.Path != fmt.Sprintf("m%d", i) || e.Column != b.Len()+2 {
					t.Fatalf("%d members and %s again: %v", n, again, err)
				}
			}
		}
		if _, err := Parse([]byte("{" + b.String() + `"m":0,"\u006d\u006d":0}`)); err != nil {
			t.Fatalf("%d members: %v", n, err)
		}
	}
}

// good tells by other means whether Parse should read a text: encoding/json, and what it lets pass looked for one by
// one.
func good(data []byte) bool {
	if !json.Valid(data) || !utf8.Valid(data) || halfSurrogate(data) {
		return false
	}
	type object struct {
		seen map[string]bool // nil in an array
		name bool            // a name is next
	}
	var open []*object
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return err == io.EOF
		}
		delim, _ := token.(json.Delim)
		if delim == ']' || delim == '}' {
			open = open[:len(open)-1]
			continue
		}
		if len(open) > 0 && open[len(open)-1].seen != nil {
			top := open[len(open)-1]
			if top.name = !top.name; top.name {
				name := token.(string)
				if top.seen[name] {
					return false
				}
				top.seen[name] = true
				continue
			}
		}
		if n, ok := token.(json.Number); ok {
			if _, err := n.Float64(); errors.Is(err, strconv.ErrRange) {
				return false
			}
		}
		switch delim {
		case '[':
			open = append(open, &object{})
		case '{':
			open = append(open, &object{seen: map[string]bool{}})
		}
		if len(open) > Depth {
			return false
		}
	}
}

// halfSurrogate looks for \ud800 to \udfff that do not come in pairs, in what is JSON otherwise.
func halfSurrogate(data []byte) bool {
	unit := func(i int) uint64 {
		if i+6 > len(data) || data[i] != '\\' || data[i+1] != 'u' {
			return 0
		}
		u, _ := strconv.ParseUint(string(data[i+2:i+6]), 16, 32)
		return u
	}
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		switch u := unit(i); {
		case u >= 0xD800 && u < 0xDC00 && unit(i+6) >= 0xDC00 && unit(i+6) < 0xE000:
			i += 11
		case u >= 0xD800 && u < 0xE000:
			return true
		default:
			i++
		}
	}
	return false
}

// checkParse compares Parse with good, and what is read with what encoding/json reads.
func checkParse(t *testing.T, data []byte) {
	t.Helper()
	kept := bytes.Clone(data)
	v, err := Parse(data)
	if !bytes.Equal(kept, data) {
		t.Fatalf("%q was changed", kept)
	}
	if (err == nil) != good(data) {
		t.Fatalf("%q: %v", data, err)
	}
	if err != nil {
		var e *Error
		if !errors.As(err, &e) || !e.Syntax || e.Line < 1 || e.Column < 1 || e.Reason == "" || !utf8.ValidString(e.Error()) {
			t.Fatalf("%q: %#v", data, err)
		}
		return
	}
	var want any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	checkValue(t, v, want)
	if err := v.Err(); err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil || compact.String() != string(v.Compact()) {
		t.Fatalf("%q is %q when compact", data, v.Compact())
	}
}

// checkValue compares a value with what encoding/json makes of it, and its paths with the way taken.
func checkValue(t *testing.T, v Value, want any) {
	t.Helper()
	path := v.Path()
	switch want := want.(type) {
	case nil:
		if !v.Null() || v.Exists() || v.Text() != "" {
			t.Fatalf("%s: %s is not null", path, v.Raw())
		}
	case bool:
		if !v.Exists() || v.Bool() != want {
			t.Fatalf("%s: %s is not %v", path, v.Raw(), want)
		}
	case string:
		if !v.Exists() || v.Text() != want {
			t.Fatalf("%s: %s is %q, want %q", path, v.Raw(), v.Text(), want)
		}
	case json.Number:
		if f, _ := want.Float64(); !v.Exists() || v.Float() != f || v.Raw() != want.String() {
			t.Fatalf("%s: %s is %v, want %v", path, v.Raw(), v.Float(), f)
		}
	case []any:
		items := v.Items()
		if len(items) != len(want) {
			t.Fatalf("%s: %d elements, want %d", path, len(items), len(want))
		}
		for i, item := range items {
			if item.Path() != fmt.Sprintf("%s[%d]", path, i) {
				t.Fatalf("%s is element %d of %s", item.Path(), i, path)
			}
			checkValue(t, item, want[i])
		}
	case map[string]any:
		n, o := 0, v.Object()
		for name, m := range o.Members() {
			inside, ok := want[name]
			if !ok || !o.Has(name) || o.Get(name) != m {
				t.Fatalf("%s: member %q", path, name)
			}
			checkValue(t, m, inside)
			n++
		}
		if n != len(want) {
			t.Fatalf("%s: %d members, want %d", path, n, len(want))
		}
	}
}

var seeds = []string{
	`{"rows":[{"id":"a","expression":{"and":[{"question":"q1","datapoints":["1",2],"not":false},{"or":[]}]}}],"base_audience":{}}`,
	` [1, -2.5e-3, 1e999, true, false, null, "\u00e9\ud83d\ude00\"\\", {"a b": {}, "": []}] `,
	`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"\u0061b":10,"j":{"a":1}}`,
	"{\"é\":\"\u2028\", \"x\" :\t[ [ ] , { } ]\r\n}", `"\ud800"`, `{"a":1,"\u0061":2}`, "\"\xff\"", "[1,]", `{"a":}`,
	"nul", "-", "1.5.", strings.Repeat("[", 201),
	`{"n":9007199254740993,"m":-0,"k":0.0000001e400}`,
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(checkParse)
}

// TestMutations checks texts that are almost JSON.
func TestMutations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{`"`, `\`, `\u`, "{", "}", "[", "]", ",", ":", "0", "1", "e", "-", ".", " ", "\n", "\x00", "\xff",
		"é", "null", `"a":`, `\ud83d`, `\ude00`, "e999"}
	readable := 0
	for range 30_000 {
		data := []byte(seeds[r.IntN(4)])
		for range 1 + r.IntN(3) {
			i := r.IntN(len(data) + 1)
			switch r.IntN(4) {
			case 0: // cut
				data = data[:i]
			case 1: // leave out
				data = append(data[:i:i], data[min(len(data), i+1+r.IntN(3)):]...)
			case 2: // insert
				data = append(append(data[:i:i], pieces[r.IntN(len(pieces))]...), data[i:]...)
			default: // repeat
				j := r.IntN(i + 1)
				data = append(append(data[:i:i], data[j:i]...), data[i:]...)
			}
		}
		checkParse(t, data)
		if good(data) {
			readable++
		}
	}
	if readable < 300 {
		t.Errorf("only %d texts were JSON", readable)
	}
}

// codebook is a document of a codebook's kind, of about a megabyte when compact.
func codebook(indent string) []byte {
	type datapoint struct {
		Code, Name string
		Midpoint   float64
		Accessible bool
	}
	type question struct {
		Code, Name, Description string
		Datapoints              []datapoint
	}
	var questions []question
	for i := range 500 {
		q := question{Code: fmt.Sprintf("q%d", i), Name: "How often did you do this in the last month?",
			Description: strings.Repeat("Mönatlich, wöchentlich … ", 10)}
		for j := range 20 {
			q.Datapoints = append(q.Datapoints, datapoint{fmt.Sprintf("q%d_%d", i, j),
				fmt.Sprintf("At least %d times a week", j), float64(j) / 4, j%2 == 0})
		}
		questions = append(questions, q)
	}
	data, _ := json.MarshalIndent(questions, "", indent)
	if indent == "" {
		var b bytes.Buffer
		json.Compact(&b, data)
		data = b.Bytes()
	}
	return data
}

func BenchmarkScan(b *testing.B) {
	labels := strings.Builder{}
	for i := range 50_000 {
		fmt.Fprintf(&labels, `,"code_%d":"name %d"`, i, i)
	}
	for _, bench := range []struct {
		name string
		data []byte
	}{
		{"compact", codebook("")},
		{"indented", codebook("    ")},
		{"members", []byte("{" + labels.String()[1:] + "}")},
		{"numbers", []byte("[" + strings.Repeat("12.5,", 200_000) + "0]")},
		{"strings", []byte("[" + strings.Repeat(`"The quick brown fox jumps over the lazy dog",`, 20_000) + "0]")},
		{"small", []byte(seeds[0])},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.data)))
			b.ReportAllocs()
			for b.Loop() {
				if err := scan(bench.data, Depth); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("encoding_json", func(b *testing.B) {
		data := codebook("")
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			json.Valid(data)
		}
	})
}
