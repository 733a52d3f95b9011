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
		"Less than high school|High school graduate|Bachelor's degree|Master's degree|Professional degree",
		"Elementary school|Some high school, no diploma|High school graduate, diploma or the equivalent|" +
			"Some college credit, no degree|Associate degree|Bachelor’s degree|Master’s degree|Doctorate degree",
		"高職|專科|大學/大專|碩士|博士",
		"SMA/SMK|D1/D2/D3|S1|S2/S3",
		"Folkeskole|Gymnasiel uddannelse|Kort videregående uddannelse|Mellemlang videregående uddannelse|" +
			"Lang videregående uddannelse (fx. universitet)",
		"Primaria|Secundaria|Universitaria",
		"Junior High School Graduate|High School / Vocational High School|Associate Degree / Vocational College|" +
			"Bachelor's Degree|Master's Degree|Doctorate and above",
		"Undergraduate|Graduate|Post-doctoral",
		"No high school diploma|High school diploma|University|Master|PhD",
		"Primaria incompleta|Primaria completa|Secundaria incompleta|Secundaria completa|Universidad",
		"Primary|Secondary|Higher secondary|Tertiary|Other",
		"Not confident at all|Slightly confident|Moderately confident|Very confident|Extremely confident",
		"Inutile|Peu utile|Moyennement utile|Très utile",
		"Không hài lòng|Bình thường|Hài lòng",
		"Very liberal|Liberal|Slightly liberal|Moderate|Slightly conservative|Conservative|Very conservative",
		"Strong Democrat|Weak Democrat|Lean Democrat|Independent|Lean Republican|Weak Republican|Strong Republican",
		"Very dry|Slightly dry|Comfortable|Slightly humid|Very humid",
		"No Hearing Loss|Mild Hearing Loss|Moderate Hearing Loss",
		"Jamais|Très rarement|Rarement (quelques fois par mois)|Souvent (plusieurs heures par semaine)|Quotidiennement",
		"Definitely would not|Probably would not|Might or might not|Probably would|Definitely would",
		"Never|Sometimes|Quite often|Most of the time|Always",
		"Less than before|No change|More than before",
		"Inexistente|Escaso|Suficiente",
		"Less than 1 month|2-6 months|1 year or more",
		"Less than a month|Between 1 and 3 months|Between 3 and 6 months|Between 6 months and 1 year|Between 1 and 2 years|" +
			"More than 3 years",
		"Under 6 måneder|Mellem 6 måneder - 1 år|1 år - 2 år|2 år - 3 år|Mere end 3 år",
		"Moins d'un mois|De 1 à moins de 2 mois|De 2 à moins de 3 mois|De 3 à moins de 4 mois|6 mois ou plus|" +
			"Emploi trouvé avant la fin",
		"Below 18°C (Cold)|18–20°C (Cool)|21–23°C (Comfortable)|Above 26°C (Very warm)",
		"dưới 5.0|5.0 đến cận 6.0|6.0 đến cận 7.0|9.0 đến 10",
		"Less than $10400|$10400–$14300|$14300–$19800|$48500 or more|Unemployed / Prefer not to say",
		"Por lo menos 1 corte en el mes|Por lo menos 2 cortes en el mes|Más de 4 cortes mensuales|No son frecuentes",
		"No musical experience|1 year musical experience|2 years musical experience|More than 5 years",
		"Within first week|1-2 months|2-3 months",
		"Less than an hour|1 to 2 hours|3 to 5 hours|More than 5 hours",
		"Moins d'un an|1 an|2 à 3 ans|plus de 3 ans",
		"Below 50,000|50,000 - 1 lakh|1 lakh - 5 lakh|Above 5 lakh",
		"1-2 times a year|1-2 times a month|2-3 times a month|1-2 times a week|5 or more times a week",
		"0-9|10-14|15-19|20 or more|No idea how many",
		"1-6 months ago|7-12 months ago|1-2 years ago|more than 2 years ago|Never",
		"Extremely uncomfortable|Somewhat uncomfortable|Neither comfortable nor uncomfortable|Somewhat comfortable|" +
			"Extremely comfortable",
		"weniger als 1 Stunde|1 bis 2 Stunden|3 bis 5 Stunden|mehr als 5 Stunden",
		"менее 1 года|от 1 года до 3 лет|от 3 до 5 лет|более 5 лет",
		"1 yıldan az|1-3 yıl|4-6 yıl|10 yıl ve üzeri",
		"أقل من 5 سنوات|من 5 إلى 10 سنوات|أكثر من 10 سنوات",
		"sub 18 ani|18-25 ani|26-35 ani|peste 35 ani",
		"Até 2 SM|De 2 a 4 SM|De 4 a 10 SM|De 10 a 20 SM|Acima de 20 SM|Não quer responder",
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
		"Less than 1 month|1 day old|House 3 or more",
		"Less than 10 years|Owner 3|Tenant 5",
		"Team 2|Team 10|Team 30",
		"Doctor|Master of the house|Neighbour|Trader",
		"Apprentice|Degree in law|Primary school|Zoo",
		"high street|middle street|park|primary school",
		"Bus (red)|Bus (blue)|Tram (red)",
		"Very old car|Very old house|New car|New house",
		"Strong coffee|Strong tea|Weak coffee|Milk|Rum",
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
