package guess

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Answers come in the order of what they say, from whatever order they stand in.
func TestOrder(t *testing.T) {
	for _, want := range []string{
		"Very Low|Low|Normal|High|Very High",
		"Highly Dissatisfied|Dissatisfied|Neutral|Satisfied|Highly Satisfied",
		"strongly_disagree|disagree|neutral|agree|strongly_agree",
		"Never|Once every few months|Once every few weeks|Weekly|Daily|Multiple times a day",
		"Muy incomodo|Incomodo|Normal|Comodo|Muy comodo",
		"Nada importante|Poco importante|Ni importante ni no|Importante|Muy importante",
		"very uncomfortable|uncomfortable|slightly comfortable|comfortable|very comfortable|not applicable",
		"sehr unzufrieden|unzufrieden|neutral|zufrieden|sehr zufrieden",
		"非常不重要|不重要|一般|重要|非常重要",
		"完全不认同|不认同|一般|认同|非常认同|其他",
		"Less than 100,000|Between 100,000 - 200,000|Between 200,000 - 300,000|Above 300,000",
		"18以下|18~20|20～22|22～25|27以上",
		"meno di 5 anni|da 5 a 10 anni|da 11 a 15 anni|oltre 15 anni",
		"None|1 or less|1.01 - 2|2.01 or more",
		"up to $1.50|$1.51 to $3|more than $3|Refused",
		"1|2|10|More than 10", // a lone number is a range, too
		"Neutral|Somewhat stressful|Stressful|Very stressful",
		"Nada útil|Poco útil|Útil|Bastante útil|Muy útil",
		"很不满意|不满意|不太满意|满意|很满意",
		"0 - 0.499 mm|0.500 - 0.999 mm|1 - 1.5 mm|1.5 mm or more",
		"0.5 L|0.75 L|1.000 L|1.5 L or more",
		"unter 1,5 Stunden|1,5 bis 3 Stunden|über 3 Stunden",
		"below 500 kr|500 kr|1 000 kr|2 000 kr",
		"18歳未満|18歳～29歳|30歳以上",
		"No more than 1|2 to 3|4 or more",
		"bis 29|30 bis 49|50 und älter",
		"under 20 år|20 til 59 år|60 år og over",
		"never|less often|every few months|monthly",
	} {
		texts := strings.Split(want, "|")
		for seed := range uint64(5) {
			shuffled := slices.Clone(texts)
			rand.New(rand.NewPCG(seed, 1)).Shuffle(len(shuffled), func(i, j int) {
				shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
			})
			slices.Sort(shuffled[:len(shuffled)/2]) // as the alphabet has some of them
			if inOrder(shuffled); !slices.Equal(shuffled, texts) {
				t.Errorf("%s comes as %s", want, strings.Join(shuffled, "|"))
				break
			}
		}
	}
}

// What is no scale and no list of ranges in one unit comes by the alphabet, with numbers as numbers.
func TestNoOrder(t *testing.T) {
	for _, want := range []string{
		"Less than 1 month|1 year or more|2-6 months",
		"Team 2|Team 10|Team 30",
		"不同|不用|非常",
		"happy|hungry|very tired",
		"-10 to 0|0 to 10|Less than -10|More than 10",
		"House under 3 trees|House under 5 roofs|Tower over 1 lake",
	} {
		texts := strings.Split(want, "|")
		got := slices.Clone(texts)
		slices.Reverse(got)
		inNaturalOrder(texts)
		if inOrder(got); !slices.Equal(got, texts) {
			t.Errorf("%s comes as %s", strings.Join(texts, "|"), strings.Join(got, "|"))
		}
	}
}
