package demo

// Wide is the code of a multi-choice question with 50 datapoints, of between 2 % and 40 % of people. With Profile it makes a crosstab of 50 × 50 to measure with.
const Wide = "interests"

// Profile lists the codes of single-choice questions that everyone is asked in every fieldwork and answers with exactly one datapoint. Together they have 50.
func Profile() []string {
	return []string{"gender", "education", "income", "employment", "area", "household", "children", "housing", "relationship", "transport"}
}

func profile() []spec {
	return []spec{
		{code: "gender", name: "Gender", text: "Which of these describes you?", shelf: "11", model: gender, flags: []string{"profile"},
			points: []point{{"Woman", 0, of{}}, {"Man", 0, of{}}, {"In another way", 10, of{}}}},
		{code: "age", name: "Age", text: "How old are you?", shelf: "11", model: years, whole: true, unit: "years", flags: []string{"profile"},
			bands: []band{{"16–24", 160, 240, false, 0}, {"25–34", 250, 340, false, 0}, {"35–44", 350, 440, false, 0},
				{"45–54", 450, 540, false, 0}, {"55–64", 550, 640, false, 0}, {"65–79", 650, 790, false, 0}}},
		{code: "education", name: "Education", text: "What is the highest level of education you have finished?", shelf: "11", model: scale,
			flags: []string{"profile"},
			of:    of{educ: 20},
			points: []point{{"Primary or less", 70, of{}}, {"Some secondary", 170, of{}}, {"Secondary", 320, of{}},
				{"Vocational or college", 210, of{}}, {"University", 230, of{}}}},
		{code: "income", name: "Household income", text: "In which band is your household's income?", shelf: "12", model: pick, flags: []string{"profile"},
			notice: "The bands are the same in every market, at purchasing power.",
			points: []point{{"Band 1, lowest", 130, of{income: -10}}, {"Band 2", 170, of{income: -5}}, {"Band 3", 220, of{}},
				{"Band 4", 180, of{income: 5}}, {"Band 5, highest", 140, of{income: 10}}, {"Do not know", 70, of{age: -4}}, {"Prefer not to say", 90, of{age: 3}}}},
		{code: "employment", name: "Employment", text: "Which of these describes your working life best?", shelf: "12", model: pick, flags: []string{"profile"},
			points: []point{{"Full-time worker", 420, of{mid: 8, income: 4, female: -2}}, {"Part-time worker", 120, of{female: 4, mid: 3}},
				{"Self-employed", 90, of{mid: 5, age: 2, educ: 1}}, {"Student", 20, of{age: -18, mid: -14}},
				{"Keeps house", 60, of{female: 9, family: 4, income: -3}},
				{"Looking for work", 55, of{age: -5, income: -7}}, {"Retired", 35, of{age: 22, mid: -8}}, {"Other", 35, of{}}}},
		{code: "area", name: "Where people live", text: "Which of these describes the place where you live?", shelf: "12", model: scale, flags: []string{"profile"},
			of:     of{city: -18, age: 2},
			points: []point{{"City centre", 260, of{}}, {"Suburb", 330, of{}}, {"Town", 240, of{}}, {"Village or countryside", 170, of{}}}},
		{code: "household", name: "People in the household", text: "How many people live in your household, you included?", shelf: "12", model: scale,
			flags:  []string{"profile"},
			of:     of{family: 14, age: -5, city: -2},
			points: []point{{"1", 190, of{}}, {"2", 310, of{}}, {"3", 210, of{}}, {"4", 180, of{}}, {"5 or more", 110, of{}}}},
		{code: "children", name: "Children in the household", text: "How many children under 16 live in your household?", shelf: "12", model: scale,
			flags:  []string{"profile"},
			of:     of{family: 20},
			points: []point{{"None", 620, of{}}, {"1", 180, of{}}, {"2", 140, of{}}, {"3", 40, of{}}, {"4 or more", 20, of{}}}},
		{code: "housing", name: "Home", text: "How do you live?", shelf: "12", model: pick, flags: []string{"profile"},
			points: []point{{"Own home", 440, of{age: 6, income: 5, home: 3}}, {"Rented home", 350, of{income: -3, city: 3}},
				{"With parents or relatives", 110, of{age: -12, family: -3}}, {"Other", 50, of{}}}},
		{code: "relationship", name: "Relationship", text: "What is your relationship status?", shelf: "12", model: pick, flags: []string{"profile"},
			points: []point{{"Married or in partnership", 480, of{age: 4, mid: 4, family: 6}}, {"Living together", 140, of{age: -3, mid: 3}},
				{"Single", 280, of{age: -9, family: -6}}, {"Divorced or widowed", 100, of{age: 9}}}},
		{code: "transport", name: "Main means of transport", text: "How do you mostly get around?", shelf: "12", model: pick, flags: []string{"profile"},
			points: []point{{"Car", 500, of{income: 3, city: -6, age: 2}}, {"Bus, tram or train", 250, of{city: 6, income: -2}},
				{"Bicycle", 90, of{green: 6, sport: 4}}, {"Motorcycle or scooter", 60, of{age: -4, female: -3}}, {"On foot", 100, of{city: 4}}}},
	}
}

func attitudes() []spec {
	return []spec{
		{code: Wide, name: "Interests", text: "Which of these are you interested in?", shelf: "13", model: tick,
			datasets: []string{"panorama", "everyday", "active"},
			points:   interests()},
		{code: "statements", name: "Attitudes", text: "How far do you agree with each of these?", shelf: "13", model: rate, suffixes: agreement(), midpoints: true,
			silent: 15,
			points: []point{
				{"I try new technology before others do", -30, of{tech: 10}},
				{"I pay more for what does less harm to the environment", -10, of{green: 11, income: 3}},
				{"I look for the lowest price", 50, of{thrift: 11}}, {"I like brands that others notice", -80, of{status: 11}},
				{"I like to try food I do not know", 10, of{food: 11}}, {"Staying fit matters to me", 40, of{sport: 10}},
				{"I would rather spend an evening at home", 30, of{home: 9, age: 3}}, {"I want to see the world", 20, of{travel: 10, age: -2}},
				{"Family comes before work", 90, of{family: 7}}, {"I worry about how firms use my data", 30, of{age: 3, educ: 3}},
				{"I tell friends what to buy", -60, of{social: 6, status: 5}}, {"I like to live where a lot happens", -20, of{city: 10, age: -3}},
			},
			limits: []bound{{points: []int{11}, asked: asked{waves: fromThird}}, {points: []int{12}, asked: asked{locations: europe}}}},
		{code: "worries", name: "Worries", text: "Which of these worry you?", shelf: "13", model: tick, column: true, none: "None of these",
			points: []point{{"Prices", 480, of{thrift: 7, later: -2}}, {"Health", 400, of{age: 4, female: 2}}, {"Climate", 330, of{green: 10}},
				{"Jobs", 280, of{age: -4, income: -4}},
				{"Housing", 260, of{age: -4, income: -4}}, {"Crime", 290, of{age: 4}}, {"Education", 190, of{family: 5, educ: 2}},
				{"Data and privacy", 210, of{tech: 2, educ: 3}}},
			asked: asked{waves: oddWaves}, declared: true},
		{code: "outlook", name: "Outlook", text: "In six months, will your household be better or worse off?", shelf: "13", model: scale,
			of:     of{income: -4, age: 3, later: -2},
			points: []point{{"Much better", 90, of{}}, {"Better", 250, of{}}, {"The same", 400, of{}}, {"Worse", 190, of{}}, {"Much worse", 70, of{}}}},
	}
}

func interests() []point {
	return []point{
		{"Music", 330, of{age: -2, social: 3}}, {"Films", 330, of{age: -1, social: 2}}, {"Food and drink", 355, of{food: 6}},
		{"Cooking", 340, of{food: 5, female: 2, home: 3}},
		{"Travel and places", 345, of{travel: 8}}, {"Series", 320, of{female: 2, social: 2}}, {"Technology", 310, of{tech: 9}},
		{"Health and fitness", 300, of{sport: 7, female: 1}},
		{"Games", 285, of{tech: 4, age: -6, female: -3}}, {"Sport", 300, of{sport: 8, female: -4}}, {"News and current affairs", 280, of{age: 5, educ: 3}},
		{"Science", 240, of{educ: 6, tech: 3}},
		{"Books", 260, of{educ: 6, female: 3}}, {"Animals and pets", 255, of{female: 2, home: 4}}, {"Fashion", 210, of{status: 6, female: 5, age: -2}},
		{"Beauty", 190, of{female: 9, status: 4}},
		{"Home and garden", 235, of{home: 8, age: 4}}, {"History", 205, of{educ: 4, age: 4}}, {"Nature and wildlife", 225, of{green: 7, age: 2}},
		{"Do-it-yourself", 185, of{home: 7, female: -4}},
		{"Cars and motoring", 180, of{female: -8, status: 4}}, {"Personal finance", 175, of{income: 6, educ: 2}}, {"Photography", 165, of{tech: 3, travel: 3}},
		{"Business", 150, of{income: 5, educ: 4}},
		{"Environment", 195, of{green: 11}}, {"Politics", 140, of{educ: 5, age: 4, female: -2}}, {"Art and exhibitions", 125, of{educ: 6, city: 3}},
		{"Parenting", 135, of{family: 12, female: 3}},
		{"Theatre", 95, of{educ: 5, city: 4, age: 2}}, {"Comedy", 215, of{age: -2}}, {"Comics and animation", 120, of{age: -9, social: 3}},
		{"Crafts", 130, of{female: 6, home: 5}},
		{"Camping and hiking", 115, of{green: 5, sport: 4}}, {"Cycling", 100, of{sport: 7, green: 3}}, {"Running", 105, of{sport: 10}},
		{"Dance", 90, of{female: 6, age: -3}},
		{"Playing an instrument", 85, of{educ: 3, age: -3}}, {"Coding", 60, of{tech: 12, age: -4, female: -3}},
		{"Investing", 95, of{income: 8, female: -3, tech: 2}}, {"Luxury goods", 65, of{status: 10, income: 4}},
		{"Charity and volunteering", 80, of{green: 4, age: 4, female: 2}}, {"Wine", 90, of{food: 5, income: 5, age: 4}},
		{"Interior design", 110, of{home: 6, status: 3, female: 4}}, {"Astrology", 50, of{female: 6, age: -3}},
		{"Motor sport", 70, of{female: -9, sport: 3}}, {"Board games", 75, of{family: 4, tech: 2}}, {"Fishing", 45, of{female: -7, city: -5}},
		{"Sailing", 32, of{income: 6, sport: 4}},
		{"Birdwatching", 30, of{green: 6, age: 6}}, {"Model building", 28, of{female: -7, home: 4}},
	}
}
