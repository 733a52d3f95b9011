package demo

import (
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// wave is a wave as the generator knows it.
type wave struct {
	audience.Wave
	decimals [2]int // of the weights of each namespace
}

func waves() []wave {
	quarter := func(code, name, start, end string, core, shopper int) wave {
		return wave{audience.Wave{Code: code, Name: name, Start: start, End: end, Kind: "quarter"}, [2]int{core, shopper}}
	}
	return []wave{
		quarter("q1_2024", "Q1 2024", "2024-01-01", "2024-03-31", 2, 1),
		quarter("q2_2024", "Q2 2024", "2024-04-01", "2024-06-30", 2, 1),
		quarter("q3_2024", "Q3 2024", "2024-07-01", "2024-09-30", 2, 1),
		quarter("q4_2024", "Q4 2024", "2024-10-01", "2024-12-31", 3, 1),
		quarter("q1_2025", "Q1 2025", "2025-01-01", "2025-03-31", 3, 1),
		quarter("q2_2025", "Q2 2025", "2025-04-01", "2025-06-30", 3, 2),
		quarter("q3_2025", "Q3 2025", "2025-07-01", "2025-09-30", 4, 2),
		quarter("q4_2025", "Q4 2025", "2025-10-01", "2025-12-31", 3, 3),
	}
}

// market is a location as the generator knows it.
type market struct {
	audience.Location
	population int    // people of 16 to 79 years, in thousands
	share      int    // of the respondents of a wave
	pattern    int    // of ages, an index into agePatterns
	absent     string // waves without fieldwork
	shopper    string // waves of the shopper recontact

	income, tech, sport, city int32 // how the market's mean differs, in 1/32 standard deviation
}

// agePatterns are the people of a market by age group, in thousandths: a young market, one in between, an old one.
func agePatterns() [3][6]int {
	return [3][6]int{
		{232, 236, 198, 152, 106, 76},
		{158, 184, 182, 173, 153, 150},
		{122, 147, 158, 179, 184, 210},
	}
}

// ageGroups are the bands of the question age, which are those of the quotas.
func ageGroups() [6][2]int {
	return [6][2]int{{16, 24}, {25, 34}, {35, 44}, {45, 54}, {55, 64}, {65, 79}}
}

// shopperWaves is where most markets take part in the recontact.
const shopperWaves = "q3_2024 q4_2024 q2_2025 q3_2025 q4_2025"

func markets() []market {
	europe := audience.Region{ID: "1", Code: "europe", Name: "Europe", Area: "EMEA"}
	americas := audience.Region{ID: "2", Code: "americas", Name: "Americas", Area: "AMER"}
	asia := audience.Region{ID: "3", Code: "asia_pacific", Name: "Asia Pacific", Area: "APAC"}
	africa := audience.Region{ID: "4", Code: "africa", Name: "Africa", Area: "EMEA"}
	place := func(id, code, iso, name string, r audience.Region) audience.Location {
		return audience.Location{ID: id, Code: code, ISOCode: iso, Name: name, Region: r}
	}
	return []market{
		{place("144", "s2_44", "GB", "United Kingdom", europe), 50200, 10, 1, "", shopperWaves, 4, 3, 0, 4},
		{place("149", "s2_49", "DE", "Germany", europe), 62400, 10, 2, "", shopperWaves, 6, -2, 1, 0},
		{place("133", "s2_33", "FR", "France", europe), 48900, 9, 1, "", shopperWaves, 3, -1, 0, 0},
		{place("134", "s2_34", "ES", "Spain", europe), 36300, 7, 2, "", "", -2, 1, 3, 4},
		{place("139", "s2_39", "IT", "Italy", europe), 45100, 7, 2, "", "", -1, -3, 0, 1},
		{place("148", "s2_48", "PL", "Poland", europe), 29300, 6, 1, "q4_2024", "", -6, 0, 1, -2},
		{place("146", "s2_46", "SE", "Sweden", europe), 7700, 6, 1, "q1_2024", "", 6, 8, 6, 0},
		{place("101", "s2_1", "US", "United States", americas), 252600, 12, 1, "", shopperWaves, 9, 6, 1, -2},
		{place("152", "s2_52", "MX", "Mexico", americas), 92800, 6, 0, "q1_2024 q2_2024", "", -10, -2, 0, 3},
		{place("155", "s2_55", "BR", "Brazil", americas), 157700, 8, 0, "", shopperWaves, -9, 2, 3, 5},
		{place("191", "s2_91", "IN", "India", asia), 486500, 10, 0, "", "q2_2025 q3_2025 q4_2025", -14, 4, 2, 6},
		{place("181", "s2_81", "JP", "Japan", asia), 93800, 9, 2, "", "", 4, -4, -5, 6},
		{place("161", "s2_61", "AU", "Australia", asia), 19900, 6, 1, "", "q3_2025 q4_2025", 7, 4, 5, 2},
		{place("127", "s2_27", "ZA", "South Africa", africa), 41600, 6, 0, "q1_2024 q2_2024 q3_2024 q4_2024", "", -12,
			-5, 3, 1},
	}
}

func namespaces() []audience.Namespace {
	return []audience.Namespace{
		{Code: "core", Name: "Core study", Universe: "average",
			Description: "Everyone of 16 to 79 years who is online. Weighted by gender, age and education to each " +
				"market's online population."},
		{Code: "shopper", Name: "Shopper recontact", Base: "core", Universe: "average",
			Description: "Core respondents of some markets who answered a second questionnaire about shopping two " +
				"weeks later. Weighted anew to the same population."},
	}
}

func datasets() []audience.Dataset {
	return []audience.Dataset{
		{Code: "panorama", Name: "Panorama", Description: "The whole study: every wave, every market.",
			URL:               "https://example.com/panorama",
			BaseAudienceLabel: "Internet users aged 16–79", BaseNamespace: "core", Order: 1, Syndicated: true},
		{Code: "everyday", Name: "Panorama Everyday", Description: "Media, devices and shopping.",
			URL:               "https://example.com/panorama/everyday",
			BaseAudienceLabel: "Internet users aged 16–79", BaseNamespace: "core", Parent: "panorama", Order: 2,
			Syndicated: true},
		{Code: "active", Name: "Panorama Active", Description: "Sport, food and travel.",
			URL:               "https://example.com/panorama/active",
			BaseAudienceLabel: "Internet users aged 16–79", BaseNamespace: "core", Parent: "panorama", Order: 3,
			Syndicated: true},
		{Code: "shopper", Name: "Shopper", Description: "The shopper recontact, made for its sponsors.",
			URL:               "https://example.com/shopper",
			BaseAudienceLabel: "Recontacted shoppers", BaseNamespace: "shopper", Order: 4},
	}
}

// shelves are the categories, without their questions: a question names its own.
func shelves() []audience.Category {
	shelf := func(id, parent, name, description string, datasets ...string) audience.Category {
		return audience.Category{ID: id, Parent: parent, Name: name, Description: description, Datasets: datasets}
	}
	cs := []audience.Category{
		shelf("1", "", "Profile", "Who people are.", "panorama"),
		shelf("11", "1", "Demographics", "Gender, age and education.", "panorama"),
		shelf("12", "1", "Household and work", "Whom people live with, what they do and earn.", "panorama"),
		shelf("13", "1", "Attitudes and interests", "What people care about.", "panorama"),
		shelf("2", "", "Media", "What people watch, read, hear and play.", "everyday"),
		shelf("21", "2", "Time and frequency", "How long and how often.", "everyday"),
		shelf("22", "2", "Services and genres", "What it is that people use.", "everyday"),
		shelf("3", "", "Devices", "What people own and how they use it.", "everyday"),
		shelf("31", "3", "Ownership", "Devices in the household.", "everyday"),
		shelf("32", "3", "Use", "What devices are used for.", "everyday"),
		shelf("4", "", "Shopping", "Where, what and why people buy.", "everyday", "shopper"),
		shelf("41", "4", "Purchases", "What was bought, and how.", "everyday"),
		shelf("42", "4", "Brands and shops", "Which brands and shops people know and use.", "everyday"),
		shelf("43", "4", "Shopper recontact", "The second questionnaire.", "shopper"),
		shelf("5", "", "Sport", "What people do and follow.", "active"),
		shelf("51", "5", "Doing sport", "Exercise and what it takes.", "active"),
		shelf("52", "5", "Following sport", "Sport on screens and in the stadium.", "active"),
		shelf("6", "", "Food and travel", "At the table and away from home.", "active"),
		shelf("61", "6", "Food and drink", "What people eat and drink.", "active"),
		shelf("62", "6", "Travel", "Where people go.", "active"),
	}
	for i := range cs {
		cs[i].Order = i + 1
	}
	return cs
}

// lists tells whether a code is among codes separated by spaces.
func lists(codes, code string) bool {
	return slices.Contains(strings.Fields(codes), code)
}
