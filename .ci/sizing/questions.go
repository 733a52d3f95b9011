package main

import (
	"encoding/json"
	"fmt"
)

// question is a request.
type question struct {
	name, cells, path string
	body              string
}

// asked is a question of the survey as the interface tells it.
type asked struct {
	Code       string `json:"code"`
	Namespace  string `json:"namespace_code"`
	Datapoints []struct {
		Code string `json:"code"`
	} `json:"datapoints"`
	Suffixes []struct {
		Code string `json:"code"`
	} `json:"suffixes"`
}

func (q *asked) key() string { return q.Namespace + "." + q.Code }

// expression is one, as JSON.
type expression = map[string]any

func leaf(q *asked, datapoint int) expression {
	return expression{"question": q.key(), "datapoints": []string{q.Datapoints[datapoint].Code}}
}

// mixed lists so many datapoints from all over a survey, each of another question while there are any: of the even ones
// or of the odd ones. There are fewer if the survey has no more.
func mixed(list []asked, n, from int) (out []expression) {
	const most = 100 // datapoints of a question
	for round := 0; len(out) < n && round < most; round++ {
		for i := range list {
			at := from + 2*round
			if len(out) < n && i%2 == from && at < len(list[i].Datapoints) {
				out = append(out, leaf(&list[i], at))
			}
		}
	}
	return out
}

// neighbours are the first datapoints of a question.
func neighbours(list []asked, code string, n int) (out []expression) {
	for i := range list {
		for at := range list[i].Datapoints {
			if list[i].Code == code && len(out) < n {
				out = append(out, leaf(&list[i], at))
			}
		}
	}
	return out
}

// pairs makes an audience of each two that stand side by side in a list, the last with the first.
func pairs(list []expression, make func(a, b expression) expression) (out []expression) {
	for i := range list {
		out = append(out, make(list[i], list[(i+1)%len(list)]))
	}
	return out
}

func both(a, b expression) expression { return expression{"and": []expression{a, b}} }

// nesting makes expressions of some depth: who is in one of two, and in the first without the second or not in a third.
func nesting(third expression) func(a, b expression) expression {
	return func(a, b expression) expression {
		return expression{"and": []expression{{"or": []expression{a, b}},
			{"or": []expression{{"and": []expression{a, negated(b)}}, negated(third)}}}}
	}
}

// negated is a leaf turned round.
func negated(leaf expression) expression {
	out := expression{"not": true}
	for name, value := range leaf {
		out[name] = value
	}
	return out
}

// axis is expressions as they stand in a request.
func axis(list []expression) (out []map[string]any) {
	for i, x := range list {
		out = append(out, map[string]any{"id": fmt.Sprint(i), "expression": x})
	}
	return out
}

func crosstab(name string, rows, columns []expression, members map[string]any) question {
	body := map[string]any{"rows": axis(rows), "columns": axis(columns), "echo": false}
	for member, value := range members {
		body[member] = value
	}
	return asking(name, fmt.Sprintf("%d×%d", len(rows), len(columns)), "/v2/query/crosstab", body)
}

func asking(name, cells, path string, body map[string]any) question {
	text, _ := json.Marshal(body) // of maps, lists and texts, which cannot fail
	return question{name, cells, path, string(text)}
}

// questions are those that are asked: tables as programs ask for them, and what the explorer's pages do.
func (s *set) questions() ([]question, error) {
	body, err := s.embedded.post("/v3/questions/filter", `{"include": {"datapoints": true}}`)
	if err != nil {
		return nil, err
	}
	var survey struct {
		Questions []asked `json:"questions"`
	}
	if err := json.Unmarshal(body, &survey); err != nil {
		return nil, err
	}
	if body, err = s.embedded.post("/v2/waves/filter", `{}`); err != nil {
		return nil, err
	}
	var fieldwork struct {
		Waves []struct {
			Code string `json:"code"`
		} `json:"waves"`
	}
	if err := json.Unmarshal(body, &fieldwork); err != nil {
		return nil, err
	}
	var waves []expression
	for _, w := range fieldwork.Waves {
		waves = append(waves, expression{"question": "waves", "datapoints": []string{w.Code}})
	}
	all := survey.Questions
	rows20, columns20 := mixed(all, 20, 0), mixed(all, 20, 1)
	interests, bought := neighbours(all, "interests", 50), neighbours(all, "bought", 20)
	gender, age := neighbours(all, "gender", 3), neighbours(all, "age", 6)
	statistics := map[string]any{"statistics": map[string]any{}}
	compared := map[string]any{"compare": []string{"rest"}, "correction": "holm"}
	return []question{
		crosstab("one cell", interests[:1], bought[:1], nil),
		crosstab("neighbouring", interests[:20], bought, nil),
		crosstab("mixed", rows20, columns20, nil),
		crosstab("large", mixed(all, 50, 0), mixed(all, 50, 1), nil),
		crosstab("larger", mixed(all, 120, 0), mixed(all, 50, 1), nil),
		crosstab("and-of-two", pairs(rows20, both), pairs(columns20, both), nil),
		crosstab("nested", pairs(rows20, nesting(interests[0])), pairs(columns20, nesting(bought[0])), nil),
		crosstab("statistics", rows20, columns20, statistics),
		crosstab("page table", append(interests, expression{"question": "waves"}), age, map[string]any{
			"statistics": compared, "coverage": true}),
		crosstab("page table of items", append(mixed(all, 50, 0), gender...), columns20, map[string]any{
			"statistics": compared, "coverage": true}),
		crosstab("page trend", interests[:20], waves, map[string]any{
			"base_audience": map[string]any{"expression": gender[0]}, "coverage": true,
			"statistics": map[string]any{"compare": []string{"previous"}, "correction": "holm"}}),
		asking("page answers", "50", "/v2/query/stats", map[string]any{"question": "interests", "coverage": true,
			"statistics": map[string]any{}}),
		asking("stats by wave", "50×8×3", "/v2/query/stats", map[string]any{"question": "interests", "splitter": "waves",
			"audiences": axis(gender)}),
		asking("page profile", "all", "/v2/query/profile", map[string]any{"audience": map[string]any{
			"expression": both(gender[0], interests[3])}, "limit": 50}),
		asking("summary", "3", "/v2/query/summary", map[string]any{"question": "age", "splitter": "gender",
			"quantiles": []int{25, 50, 75}, "statistics": map[string]any{}}),
		asking("summary by wave", "8×3", "/v2/query/summary", map[string]any{"question": "gaming_hours",
			"splitter": "waves", "audiences": axis(gender), "quantiles": []int{50, 90}, "statistics": map[string]any{}}),
		asking("wave counts", "8", "/v3/query/audience_wave_counts", map[string]any{"expression": both(gender[0],
			interests[3]), "coverage": true}),
	}, nil
}
