package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// question is a request that the service's own documentation shows.
type question struct{ method, path, body string }

// questions are those of the documentation, as the server tells it.
func (s *server) questions() ([]question, error) {
	w, err := s.client.Get(s.url + "/openapi.json")
	if err != nil {
		return nil, err
	}
	defer w.Body.Close()
	var document struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Example json.RawMessage }
			}
		}
	}
	if err := json.NewDecoder(w.Body).Decode(&document); err != nil {
		return nil, err
	}
	var all []question
	for path, methods := range document.Paths {
		for method, operation := range methods {
			body := operation.RequestBody.Content["application/json"].Example
			all = append(all, question{strings.ToUpper(method), strings.ReplaceAll(path, "{id}", "1"), string(body)})
		}
	}
	if len(all) < 20 {
		return nil, fmt.Errorf("the documentation has %d requests", len(all))
	}
	return all, nil
}

// mutate sends requests of which something is wrong, and wants none answered with 5xx, and the server to go on.
func mutate(g *ground) error {
	s, err := g.served("--rate", "0", "--waiting", "0", "--wait", "0", "--query-time", "0")
	if err != nil {
		return err
	}
	defer s.kill()
	questions, err := s.questions()
	if err != nil {
		return err
	}
	const clients = 4
	var sending sync.WaitGroup
	statuses, mu := map[int]int{}, sync.Mutex{}
	for client := range clients {
		sending.Go(func() {
			random := rand.New(rand.NewPCG(17, uint64(client)))
			for range g.of(1_000_000, 12_000) / clients {
				g.try()
				status, said, err := s.nonsense(random, questions)
				mu.Lock()
				statuses[status/100]++
				mu.Unlock()
				if err != nil || status >= 500 {
					g.fail("%s: %d %v", said, status, err)
				}
			}
		})
	}
	sending.Wait()
	g.note("%d answered with 2xx, %d with 4xx", statuses[2], statuses[4])
	g.try()
	if statuses[2] == 0 || statuses[4] == 0 {
		g.fail("not both kinds of answers")
	}
	g.try()
	if strings.Contains(s.said(), "panic") {
		g.fail("the log has a panic: %s", s.said())
	}
	return s.end()
}

// nonsense sends a request with something wrong in it, and tells what was sent.
func (s *server) nonsense(random *rand.Rand, questions []question) (status int, said string, err error) {
	q := questions[random.IntN(len(questions))]
	body := []byte(q.body)
	for range 1 + random.IntN(3) {
		body = mutated(random, body, []byte(questions[random.IntN(len(questions))].body))
	}
	at, err := url.Parse(s.url)
	if err != nil {
		return 0, "", err
	}
	at.Path = q.path
	method := q.method
	switch random.IntN(12) {
	case 0:
		at.RawQuery = string(mutated(random, []byte("limit=10&offset=2&flags=authored,curated&folder_id=x"), nil))
		at.RawQuery = url.PathEscape(at.RawQuery)
		if random.IntN(2) == 0 {
			at.RawQuery = "limit=" + number(random) + "&offset=" + number(random)
		}
	case 1:
		at.Path = "/" + string(mutated(random, []byte(q.path), nil))
	case 2:
		method = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "BREW"}[random.IntN(8)]
	}
	r, err := http.NewRequestWithContext(context.Background(), method, at.String(), bytes.NewReader(body))
	if err != nil {
		return 400, "", nil // which no client can send
	}
	r.Header.Set("Authorization", s.key)
	switch random.IntN(20) {
	case 0:
		r.Header.Set("Authorization", printable(random, s.key))
	case 1:
		r.Header.Set("If-Match", printable(random, `"v1"`))
	case 2:
		r.Header.Set("Accept", printable(random, "application/json-seq"))
	case 3:
		r.Header.Set("X-Request-Id", printable(random, "drill"))
	}
	said = fmt.Sprintf("%s %s %q", method, at, body)
	w, err := s.client.Do(r)
	if err != nil {
		return 0, said, err
	}
	defer w.Body.Close()
	_, err = io.Copy(io.Discard, w.Body)
	return w.StatusCode, said, err
}

// mutated is a text of which a part has been changed, left out, said twice or taken from another.
func mutated(random *rand.Rand, text, other []byte) []byte {
	if len(text) == 0 {
		return []byte(number(random))
	}
	a := random.IntN(len(text))
	b := min(len(text), a+1+random.IntN(20))
	cut := func(with []byte) []byte { return bytes.Join([][]byte{text[:a], with, text[b:]}, nil) }
	switch random.IntN(9) {
	case 0:
		return cut(nil)
	case 1:
		return cut([]byte{byte(random.IntN(256))})
	case 2:
		return cut(bytes.Repeat(text[a:b], 2+random.IntN(30)))
	case 3:
		if len(other) > 0 {
			c := random.IntN(len(other))
			return cut(other[c:min(len(other), c+1+random.IntN(60))])
		}
		return cut([]byte("null"))
	case 4:
		return replaceWord(random, text, func([]byte) []byte { return []byte(number(random)) })
	case 5:
		words := []string{`null`, `[]`, `{}`, `""`, `true`, `"waves"`, `"locations"`, `"gaming_hours"`, `"statements"`,
			`"\ud800"`, `"\u0000"`, `"` + strings.Repeat("x", 300) + `"`, `"statistics"`, `"not"`, `"min_count"`, `"id"`}
		return replaceWord(random, text, func([]byte) []byte { return []byte(words[random.IntN(len(words))]) })
	case 6: // a word of the text in the place of another
		words := wordsOf(text)
		if len(words) == 0 {
			return cut(nil)
		}
		w := words[random.IntN(len(words))]
		return replaceWord(random, text, func([]byte) []byte { return text[w[0]:w[1]] })
	case 7:
		nested := []byte(strings.Repeat(`{"and":[`, 1+random.IntN(80)))
		return cut(nested)
	}
	changed := bytes.Clone(text)
	changed[a] ^= 1 << random.IntN(8)
	return changed
}

// wordsOf are the strings of a JSON text, with their quotes.
func wordsOf(text []byte) (words [][2]int) {
	from := -1
	for i, b := range text {
		switch {
		case b == '"' && from < 0:
			from = i
		case b == '"':
			words = append(words, [2]int{from, i + 1})
			from = -1
		}
	}
	return words
}

func replaceWord(random *rand.Rand, text []byte, with func([]byte) []byte) []byte {
	words := wordsOf(text)
	if len(words) == 0 {
		return with(text)
	}
	w := words[random.IntN(len(words))]
	return bytes.Join([][]byte{text[:w[0]], with(text[w[0]:w[1]]), text[w[1]:]}, nil)
}

// number is a number that programs do not expect.
func number(random *rand.Rand) string {
	all := []string{"0", "-1", "1", "2", "1e3", "1e309", "0.5", "-0", "9223372036854775807", "9223372036854775808",
		"-9223372036854775808", "18446744073709551616", "1e-400", "00", "NaN", "1000000", "2147483648", "0x10", "99.999"}
	return all[random.IntN(len(all))]
}

// printable is a mutated header's value, such as a client can send.
func printable(random *rand.Rand, text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, string(mutated(random, []byte(text), nil)))
}
