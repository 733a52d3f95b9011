// Package insights holds what analysts have published about a survey: articles and charts ([Insight]), and generic
// insights, which are a sentence about some attributes whose figures are counted when they are read ([Generic],
// [Explore]).
//
// # The file
//
// Insights come in a JSON file, which [Read] reads:
//
//	{
//	  "insights": [
//	    {"id": 7, "name": "Screens at night", "description": "…", "type": "report", "category_ids": [21, 31],
//	     "images": [{"id": 70, "is_main": true, "thumb_path": "/i/70-s.png", "page_thumb_path": "/i/70-m.png",
//	       "page_preview_thumb_path": "/i/70-l.png"}],
//	     "is_trending": true, "trending": 81.5, "popularity": 1204,
//	     "published_at": "2025-03-01", "created_at": "2025-02-20T08:00:00Z", "updated_at": "2025-03-02T10:15:00+01:00"}],
//	  "generic": [
//	    {"id": "phones-in-bed", "text": "Women are more likely than others to use a phone in bed every day.",
//	     "metrics": ["index", "percentage"],
//	     "origins": {
//	       "attributes": [
//	         {"attribute_key": {"namespace_code": "core", "question_code": "bed", "datapoint_code": "phone",
//	           "suffix_code": "1"}, "generated_text": "use a phone in bed every day"}],
//	       "audiences": [
//	         {"id": "women", "title": "Women", "description": "…",
//	          "expression": {"question": "gender", "datapoints": ["f"]}},
//	         {"id": "5f6d1c1e-9b1c-4a6e-8f1b-0a2f1a3b4c5d"}],
//	       "locations": ["s2_44"], "waves": ["q1_2025"], "datasets": ["core"]}}]
//	}
//
// An insight needs an id, which is an integer; dates are days or RFC 3339 times; trending and popularity are any
// numbers, by which lists can be ordered. The ids in category_ids are those of the survey's categories.
//
// A generic insight needs an id and a text. Its metrics are among percentage, index, sample and size; the figures are
// shown in that order. An attribute needs a question_code and a datapoint_code; without suffix_code any suffix of a
// grid is meant, without namespace_code the question is looked up as in an expression, and without generated_text the
// words are made when it is read. An origin audience is a saved one, by its id, or has an expression and an id of its
// own. An empty list of locations, or of waves, stands for all there are, so that only those find the insight
// who may use all of them.
//
// All else may be left out. Members that are not listed here, and things listed twice, are errors. Read knows no
// survey: [File.Check] tells whether the codes are those of one.
package insights
