package guess_test

import (
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// Some forms write a line for each answer into one field. Lines that hardly anybody else wrote are a text.
func TestLinesOfAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		fields func(int) string
		want   string
	}{
		"answers": {among("Tea\nMilk", "Tea", "Milk\nCoffee", "Coffee", "Tea\nMilk\nCoffee", ""), "multi drinks"},
		"answers with commas": {among("Tea, hot\nMilk", "Tea, hot", "Milk\nJuice, cold", "Milk", "Juice, cold"),
			"multi drinks"},
		"lines as Windows has": {among("Tea\r\nMilk", "Tea", "Milk\r\nCoffee", "Coffee"), "multi drinks"},
		"texts": {func(i int) string {
			return "I drink " + count(100)(i) + "\nand eat " + count(300)(i)
		}, "not used"},
		"one answer": {among("Tea", "Milk", "Coffee"), "single drinks"},
	} {
		t.Run(name, func(t *testing.T) {
			table := repeated(120, "id|drinks", count(1), c.fields)
			m := guessed(t, table.file(), guess.Options{})
			if got := readings(m)["drinks"]; got != c.want {
				t.Errorf("read as %q, want %q", got, c.want)
			}
			whole(t, table, m)
		})
	}
}

// What is offered is listed once, whatever stands in front of it or behind it in the field.
func TestLinesListEachAnswerOnce(t *testing.T) {
	table := repeated(120, "id|drinks", count(1), among("Tea\nMilk", "Tea", "Milk\nCoffee", "Coffee", "Tea\nMilk\nCoffee"))
	m := guessed(t, table.file(), guess.Options{})
	for _, q := range m.Codebook.Questions {
		if q.Separator == "\n" && len(q.Datapoints) != 3 {
			t.Errorf("%d answers, want 3: %v", len(q.Datapoints), q.Datapoints)
		}
	}
}
