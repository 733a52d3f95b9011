package httpapi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// lost lists what of a kept answer a later one does not have any more. Both are as scripts write them: the status, the
// content type and headers on the first line, and then the body.
func lost(old, new string) []string {
	head, body, _ := strings.Cut(old, "\n")
	headNow, bodyNow, _ := strings.Cut(new, "\n")
	words, wordsNow := strings.Fields(head), strings.Fields(headNow)
	var out []string
	if !slices.Equal(words[1:min(3, len(words))], wordsNow[1:min(3, len(wordsNow))]) {
		return []string{fmt.Sprintf("it was %q and is %q", head, headNow)}
	}
	out = append(out, lostHeaders(words[min(3, len(words)):], wordsNow[min(3, len(wordsNow)):])...)
	if strings.HasPrefix(words[min(2, len(words)-1)], "text/") { // a page for people
		return out
	}
	failed := words[1] >= "400"
	lines, linesNow := splitBody(body), splitBody(bodyNow)
	if len(lines) != len(linesNow) {
		return append(out, fmt.Sprintf("it had %d objects and has %d", len(lines), len(linesNow)))
	}
	for i := range lines {
		was, err := readLine(lines[i])
		is, errNow := readLine(linesNow[i])
		if err := errors.Join(err, errNow); err != nil {
			out = append(out, err.Error())
			continue
		}
		if strings.HasPrefix(lines[i], "<RS>") != strings.HasPrefix(linesNow[i], "<RS>") {
			out = append(out, "it is framed otherwise")
		}
		out = append(out, lostValues("", was, is, failed)...)
	}
	return out
}

func readLine(line string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(strings.TrimPrefix(line, "<RS>")))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// splitBody divides a body into its JSON documents, of which each has a line.
func splitBody(body string) (lines []string) {
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// lostHeaders: tags may be others, and more methods may be allowed; all else stays as it was.
func lostHeaders(old, new []string) (out []string) {
	now := map[string]string{}
	for i, word := range new {
		name, value, _ := strings.Cut(word, ":")
		if name == "Allow" {
			value = strings.Join(append([]string{value}, new[i+1:]...), " ")
		}
		now[name] = value
	}
	for i, word := range old {
		name, value, _ := strings.Cut(word, ":")
		is, there := now[name]
		switch {
		case name == "Allow":
			for _, method := range append([]string{value}, old[i+1:]...) {
				if method = strings.TrimSuffix(method, ","); !slices.Contains(strings.Split(is, ", "), method) {
					out = append(out, "the method "+method+" is gone")
				}
			}
			return out // it is the last
		case !there, name != "ETag" && is != value:
			out = append(out, fmt.Sprintf("the header %s was %q and is %q", name, value, is))
		}
	}
	return out
}

// texts are members whose text is for people and may be put better: of errors, and the words for a grant.
var texts = map[bool][]string{true: {"error", "err", "message"}, false: {"words"}}

// lostValues: each member has the value that it had; objects may have new ones. Arrays are as long as they were and in
// the same order.
func lostValues(path string, was, is any, failed bool) (out []string) {
	differs := func() []string { return []string{fmt.Sprintf("%s was %v and is %v", path, was, is)} }
	switch was := was.(type) {
	case map[string]any:
		now, ok := is.(map[string]any)
		if !ok {
			return differs()
		}
		for name, value := range was {
			place := path + "." + name
			switch v, there := now[name]; {
			case !there:
				out = append(out, place+" is gone")
			case slices.Contains(texts[failed], name):
				if _, ok := v.(string); !ok {
					out = append(out, place+" is no text")
				}
			default:
				out = append(out, lostValues(place, value, v, failed)...)
			}
		}
	case []any:
		now, ok := is.([]any)
		if !ok || len(now) != len(was) {
			return differs()
		}
		for i := range was {
			out = append(out, lostValues(fmt.Sprintf("%s[%d]", path, i), was[i], now[i], failed)...)
		}
	case json.Number:
		now, ok := is.(json.Number)
		if !ok || !sameNumber(was, now) {
			return differs()
		}
	default:
		if was != is {
			return differs()
		}
	}
	slices.Sort(out)
	return out
}

func sameNumber(a, b json.Number) bool {
	x, okX := new(big.Rat).SetString(a.String())
	y, okY := new(big.Rat).SetString(b.String())
	return okX && okY && x.Cmp(y) == 0
}
