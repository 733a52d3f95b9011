package demo

func doingSport() []spec {
	return []spec{
		{code: "exercise", name: "Exercise", text: "How often do you exercise?", shelf: "51", model: scale, of: of{sport: -14}, points: often(),
			flags: []string{"trend"}},
		{code: "gym", name: "Member of a gym", text: "Are you a member of a gym?", shelf: "51", model: pick, route: route{"exercise", []int{1, 2, 3, 4, 5}},
			notice: "Asked of those who exercise.",
			points: []point{{"Yes", 270, of{sport: 6, income: 4, city: 3}}, {"I was", 230, of{}}, {"No", 500, of{age: 3}}}},
		{code: "sports_played", name: "Sports done", text: "Which of these did you do in the last year?", shelf: "51", model: tick,
			points: sportsPlayed(), none: "None of these",
			limits: []bound{{points: []int{11}, asked: asked{locations: "s2_44 s2_91 s2_61 s2_27"}}, {points: []int{21, 22, 23},
				asked: asked{locations: "s2_49 s2_33 s2_48 s2_46 s2_1 s2_81"}}, {points: []int{24}, asked: asked{waves: fromSixth}}}},
		{code: "steps", name: "Steps a day", text: "How many thousand steps did you walk yesterday, by your phone or watch?", shelf: "51", model: count,
			unit: "thousand steps", silent: 120,
			of: of{sport: 9, age: -3, city: 2}, asked: asked{waves: "q4_2024 " + secondHalf},
			bands: []band{{"Under 2", 0, 19, false, 170}, {"2–4", 20, 39, false, 250}, {"4–6", 40, 59, false, 220}, {"6–8", 60, 79, false, 150},
				{"8–10", 80, 99, false, 110}, {"10 or more", 100, 220, true, 100}}},
		{code: "sport_reasons", name: "Reasons to exercise", text: "Why do you exercise?", shelf: "51", model: tick, column: true, none: "Nothing of this",
			route: route{"exercise", []int{1, 2, 3, 4, 5}},
			points: []point{{"Health", 610, of{age: 3}}, {"Looks", 330, of{age: -5, status: 4}}, {"Fun", 390, of{sport: 5}}, {"Company", 210, of{social: 4}},
				{"Competition", 110, of{sport: 6, female: -5}}, {"Doctor's advice", 130, of{age: 8}},
				{"Stress", 300, of{mid: 4, female: 3}}, {"Being outside", 260, of{green: 6}}}},
	}
}

func sportsPlayed() []point {
	return []point{
		{"Walking", 520, of{age: 3, green: 2}}, {"Running", 280, of{sport: 9, age: -4}}, {"Cycling", 270, of{sport: 6, green: 3}},
		{"Swimming", 260, of{sport: 5, family: 3}}, {"Gym", 290, of{sport: 8, age: -4}},
		{"Football", 200, of{sport: 6, female: -7, age: -5}}, {"Basketball", 110, of{sport: 5, age: -7}}, {"Tennis", 90, of{sport: 6, income: 4}},
		{"Badminton", 100, of{sport: 4}}, {"Volleyball", 80, of{sport: 4, age: -5}},
		{"Cricket", 150, of{sport: 5, female: -7}}, {"Golf", 50, of{income: 7, age: 3, female: -4}}, {"Yoga", 190, of{female: 8, educ: 3}},
		{"Pilates", 90, of{female: 10, income: 3}}, {"Dancing", 130, of{female: 6}},
		{"Martial arts", 60, of{sport: 6, age: -5}}, {"Climbing", 50, of{sport: 7, age: -4}}, {"Table tennis", 90, of{female: -3}},
		{"Hiking", 210, of{green: 6, sport: 4}}, {"Fishing", 60, of{female: -7, city: -4}},
		{"Skiing", 120, of{income: 8, sport: 5}}, {"Snowboarding", 50, of{age: -7, sport: 6}}, {"Ice skating", 60, of{family: 4, age: -4}},
		{"Padel", 60, of{income: 4, sport: 6, later: 5}}, {"Skateboarding", 40, of{age: -10}},
		{"Riding", 40, of{female: 6, income: 4}}, {"Rowing", 30, of{sport: 7, income: 3}}, {"Sailing", 25, of{income: 7, sport: 3}},
	}
}

func followingSport() []spec {
	return []spec{
		{code: "sports_watched", name: "Sports followed", text: "Which of these do you follow?", shelf: "52", model: tick, asked: asked{waves: oddWaves},
			declared: true, flags: []string{"occasional"},
			points: []point{{"Football", 430, of{sport: 6, female: -6}}, {"Basketball", 190, of{sport: 5, age: -4}}, {"Tennis", 180, of{sport: 4, income: 3}},
				{"Motor racing", 170, of{female: -6, status: 3}}, {"Athletics", 140, of{sport: 5, age: 3}},
				{"Swimming", 110, of{sport: 4}}, {"Cycling", 100, of{sport: 5, age: 2}}, {"Golf", 70, of{income: 6, age: 4}}, {"Boxing", 120, of{female: -5}},
				{"Wrestling", 90, of{female: -4, educ: -4}}, {"Volleyball", 90, of{}},
				{"Gymnastics", 90, of{female: 6}}, {"Figure skating", 80, of{female: 9, age: 3}}, {"Skiing", 90, of{income: 4, age: 3}},
				{"Ice hockey", 90, of{female: -4}}, {"Cricket", 160, of{female: -4, sport: 4}},
				{"Rugby", 110, of{sport: 4, female: -4}}, {"American football", 110, of{sport: 4, female: -4}}, {"Baseball", 110, of{age: 3}},
				{"Handball", 60, of{}}, {"E-sports", 90, of{age: -11, tech: 5, female: -3}}, {"Darts", 50, of{age: 2, female: -4}}},
			limits: []bound{{points: []int{16}, asked: asked{oddWaves, "s2_44 s2_91 s2_61 s2_27"}}, {points: []int{17},
				asked: asked{oddWaves, "s2_44 s2_33 s2_61 s2_27 s2_81"}},
				{points: []int{18}, asked: asked{oddWaves, "s2_1 s2_52 s2_49"}}, {points: []int{19}, asked: asked{oddWaves, "s2_1 s2_81 s2_52"}}}},
		{code: "sport_screens", name: "Ways to follow sport", text: "How often do you follow sport in each of these ways?", shelf: "52", model: rate,
			suffixes: frequencies(), midpoints: true, asked: asked{waves: oddWaves},
			points: []point{{"Broadcast television", 0, of{sport: 5, age: 4, female: -4}}, {"Video services", -60, of{sport: 5, age: -5, female: -4}},
				{"Social media", -50, of{sport: 5, age: -6}}, {"News sites", -40, of{sport: 5, educ: 2}}, {"In the stadium", -220, of{sport: 6, income: 4}}}},
		{code: "event_plans", name: "Will follow the summer events", text: "Will you follow the international events this summer?", shelf: "52", model: scale,
			of: of{sport: -8, female: 3}, asked: asked{"q2_2024", europe + " " + americas}, declared: true,
			points: []point{{"Certainly", 270, of{}}, {"Probably", 290, of{}}, {"Probably not", 230, of{}}, {"Certainly not", 210, of{}}}},
	}
}

func table() []spec {
	return []spec{
		{code: "diet", name: "Diet", text: "Which of these describes how you eat?", shelf: "61", model: pick,
			points: []point{{"I eat everything", 640, of{age: 3}}, {"Little meat", 170, of{green: 6, educ: 3}}, {"Vegetarian", 80, of{green: 8, female: 4, age: -3}},
				{"Vegan", 30, of{green: 11, age: -5}}, {"Fish, no meat", 40, of{green: 6, food: 3}}, {"Another", 40, of{sport: 5}}}},
		{code: "cuisines", name: "Kinds of food liked", text: "What kinds of food do you like?", shelf: "61", model: tick,
			points: []point{{"Italian", 560, of{food: 3}}, {"Chinese", 430, of{food: 5}}, {"Japanese", 320, of{food: 8, city: 3}}, {"Indian", 330, of{food: 7}},
				{"Mexican", 320, of{food: 5, age: -3}}, {"Thai", 250, of{food: 9}}, {"Greek", 230, of{food: 4, age: 2}},
				{"Turkish", 200, of{food: 4, city: 3}}, {"Korean", 190, of{food: 9, age: -5, later: 3}}, {"Spanish", 200, of{food: 4, travel: 3}},
				{"French", 210, of{food: 4, income: 3, age: 3}}, {"American", 310, of{age: -4}}, {"Ethiopian", 50, of{food: 10, city: 4}},
				{"Lebanese", 110, of{food: 8, city: 3}}, {"Vietnamese", 160, of{food: 9}}, {"Brazilian", 90, of{food: 5}}, {"Peruvian", 60, of{food: 9, travel: 4}},
				{"Moroccan", 90, of{food: 8}}, {"Polish", 80, of{food: 2}}, {"Fusion", 80, of{food: 9, status: 4}}}},
		{code: "eating_out", name: "Eating out", text: "How often do you do each of these?", shelf: "61", model: rate, suffixes: frequencies(), midpoints: true,
			silent: 12,
			points: []point{{"Restaurant", -110, of{income: 6, food: 4}}, {"Fast food", -80, of{age: -7, green: -3}}, {"Café", -70, of{city: 5, social: 3}},
				{"Bar", -150, of{city: 5, age: -5}}, {"Delivered meal", -90, of{age: -6, city: 5}}, {"Lunch at work", -60, of{mid: 6}}}},
		{code: "coffee", name: "Cups of coffee a day", text: "How many cups of coffee do you drink on a usual day?", shelf: "61", model: count, whole: true,
			unit: "cups", silent: 10, of: of{age: 6, mid: 3, income: 2},
			bands: []band{{"None", 0, 0, false, 240}, {"1 or fewer", 1, 10, false, 270}, {"2", 11, 20, false, 240}, {"3", 21, 30, false, 140},
				{"4 or more", 31, 80, true, 110}}},
		{code: "cooking", name: "Cooking", text: "How often do you cook?", shelf: "61", model: scale, of: of{food: -5, female: -3, family: -4, home: -4},
			points: often()},
		{code: "snacks", name: "Snacks", text: "Which of these did you eat last week?", shelf: "61", model: tick, column: true, none: "None of these",
			asked: asked{waves: fromThird}, declared: true,
			points: []point{{"Crisps", 460, of{age: -5}}, {"Chocolate", 540, of{female: 3}}, {"Fruit", 590, of{age: 4, green: 3}},
				{"Nuts", 380, of{age: 3, sport: 3}}, {"Biscuits", 450, of{family: 4}}, {"Ice cream", 340, of{family: 3}},
				{"Protein bars", 130, of{sport: 9, age: -5}}, {"Yoghurt", 430, of{female: 3}}, {"Cheese", 300, of{age: 3}},
				{"Rice cakes", 120, of{female: 5, green: 3}}, {"Dried fruit", 150, of{green: 4}}, {"Seaweed", 60, of{food: 9}}}},
	}
}

func away() []spec {
	return []spec{
		{code: "trips", name: "Trips a year", text: "How many trips of more than one night did you make in the last year?", shelf: "62", model: count, whole: true,
			unit: "trips", silent: 15, of: of{travel: 9, income: 6},
			bands: []band{{"None", 0, 0, false, 270}, {"1", 10, 10, false, 250}, {"2", 20, 20, false, 200}, {"3–4", 30, 40, false, 170},
				{"5 or more", 50, 150, true, 110}}},
		{code: "destinations", name: "Destinations", text: "Where would you like to go next?", shelf: "62", model: tick,
			asked: asked{waves: "q1_2024 q2_2024 q1_2025 q2_2025"}, declared: true, silent: 8,
			points: []point{{"At home in my country", 430, of{age: 3, travel: -3}}, {"Northern Europe", 170, of{travel: 5}}, {"Western Europe", 250, of{travel: 5}},
				{"Southern Europe", 300, of{travel: 4}}, {"Eastern Europe", 120, of{travel: 4, thrift: 3}},
				{"North Africa", 110, of{travel: 5}}, {"Southern Africa", 80, of{travel: 6, green: 3}}, {"East Africa", 60, of{travel: 7, green: 4}},
				{"Middle East", 90, of{status: 4, travel: 4}}, {"North America", 210, of{income: 4, travel: 4}}, {"Central America", 90, of{travel: 6}},
				{"Caribbean", 150, of{status: 4, income: 3}}, {"South America", 130, of{travel: 7}}, {"South Asia", 80, of{travel: 6}},
				{"East Asia", 170, of{travel: 6, food: 4}}, {"South-East Asia", 180, of{travel: 7, age: -4, food: 3}}, {"Australia", 140, of{travel: 5, income: 3}},
				{"Pacific islands", 80, of{travel: 5, income: 4}}, {"A cruise", 80, of{age: 8, income: 4}},
				{"Polar regions", 30, of{travel: 6, income: 5, green: 4}}}},
		{code: "trip_style", name: "Kind of trip", text: "What kind of trip do you like best?", shelf: "62", model: pick,
			points: []point{{"Beach", 330, of{family: 3}}, {"City", 220, of{city: 6, educ: 3}}, {"Nature", 190, of{green: 8}}, {"Sport", 60, of{sport: 9}},
				{"Round trip", 100, of{travel: 8}}, {"Visit to family", 100, of{age: 3, travel: -5}}}},
	}
}
