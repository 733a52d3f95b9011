//go:build generated

package clients_test

import (
	"net/http"

	"example.com/clients/api"
)

func (w *walk) catalogue() {
	ctx, yes := w.t.Context(), true
	var all api.QuestionsJSONRequestBody
	all.Include = &struct {
		Categories    *bool `json:"categories,omitempty"`
		Datapoints    *bool `json:"datapoints,omitempty"`
		TaxonomyPaths *bool `json:"taxonomy_paths,omitempty"`
	}{&yes, &yes, &yes}
	questions, err := w.QuestionsWithResponse(ctx, nil, all)
	w.check(err)
	w.same(questions.JSON200)
	if n := len(questions.JSON200.Questions); n != 8 {
		w.t.Errorf("%d questions", n)
	}
	// What the client has already it need not load again.
	again, err := w.QuestionsWithResponse(ctx, &api.QuestionsParams{IfNoneMatch: &questions.Headers200.ETag}, all)
	w.check(err)
	if again.StatusCode() != http.StatusNotModified || again.Headers304.ETag != questions.Headers200.ETag {
		w.t.Errorf("records that have not changed: %d", again.StatusCode())
	}
	search, limit := "use week", int64(1)
	found, err := w.QuestionsWithResponse(ctx, nil, api.QuestionsJSONRequestBody{Search: &search, Limit: &limit})
	w.check(err)
	w.same(found.JSON200)
	locations, err := w.LocationsWithResponse(ctx, nil, api.LocationsJSONRequestBody{Include: &struct {
		Regions *bool `json:"regions,omitempty"`
	}{&yes}, Waves: &[]api.CodeFilter{{Code: "w2"}}})
	w.check(err)
	w.same(locations.JSON200)
	waves, err := w.WavesWithResponse(ctx, nil, api.WavesJSONRequestBody{})
	w.check(err)
	w.same(waves.JSON200)
	namespaces, err := w.NamespacesWithResponse(ctx, nil, api.NamespacesJSONRequestBody{})
	w.check(err)
	w.same(namespaces.JSON200)
	categories, err := w.CategoriesWithResponse(ctx, nil, api.CategoriesJSONRequestBody{})
	w.check(err)
	w.same(categories.JSON200)
	datasets, err := w.DatasetsWithResponse(ctx, nil, api.DatasetsJSONRequestBody{
		Datasets: &[]api.CodeFilter{{Code: "screens"}}})
	w.check(err)
	w.same(datasets.JSON200)
}

func (w *walk) insights() {
	ctx, limit := w.t.Context(), int64(2)
	page, err := w.InsightsFilterWithResponse(ctx, nil, api.InsightsFilterJSONRequestBody{Limit: &limit})
	w.check(err)
	w.same(page.JSON200)
	insight, err := w.InsightWithResponse(ctx, page.JSON200.Insights[0].Id, nil)
	w.check(err)
	w.same(insight.JSON200)
	view, err := w.ExploreWithResponse(ctx, "screens", nil)
	w.check(err)
	w.same(view.JSON200)
}

// saved takes a saved audience through its life. What has changed it is held against what curl reads afterwards.
func (w *walk) saved() {
	ctx, shared, name := w.t.Context(), true, "Daily users"
	question := "use"
	var daily api.Expression_Suffixes_Item
	w.check(daily.FromExpressionSuffixes1(1))
	made, err := w.SavedCreateWithResponse(ctx, nil, api.SavedCreateJSONRequestBody{Name: name,
		Expression: &api.Expression{Question: &question, Suffixes: &[]api.Expression_Suffixes_Item{daily}},
		Flags:      &[]api.SavedAudienceFlag{"authored"}})
	w.check(err)
	if made.JSON201 == nil {
		w.t.Fatalf("%d %s", made.StatusCode(), made.Body)
	}
	w.compare(w.curl(http.MethodGet, made.Headers201.Location), made.JSON201)
	changed, err := w.SavedUpdateWithResponse(ctx, made.JSON201.Id, &api.SavedUpdateParams{
		IfMatch: &made.Headers201.ETag}, api.SavedUpdateJSONRequestBody{Shared: &shared})
	w.check(err)
	w.compare(w.curl(http.MethodGet, made.Headers201.Location), changed.JSON200)
	read, err := w.SavedReadWithResponse(ctx, made.JSON201.Id, nil)
	w.check(err)
	w.same(read.JSON200)
	list, err := w.SavedListWithResponse(ctx, &api.SavedListParams{Flags: &[]api.SavedAudienceFlag{"authored", "isP2"}})
	w.check(err)
	w.same(list.JSON200)
	if list.JSON200.Meta.Total != 1 {
		w.t.Errorf("%d audiences", list.JSON200.Meta.Total)
	}
	late, err := w.SavedDeleteWithResponse(ctx, made.JSON201.Id, &api.SavedDeleteParams{IfMatch: &made.Headers201.ETag})
	w.check(err)
	w.same(late.JSON412)
	gone, err := w.SavedDeleteWithResponse(ctx, made.JSON201.Id, nil)
	w.check(err)
	if gone.StatusCode() != http.StatusNoContent {
		w.t.Errorf("deleted: %d", gone.StatusCode())
	}
	none, err := w.SavedReadWithResponse(ctx, made.JSON201.Id, nil)
	w.check(err)
	w.same(none.JSON404)
}

// derived takes a derived question through its life, as saved does an audience.
func (w *walk) derived() {
	ctx, shared, gender := w.t.Context(), true, "gender"
	made, err := w.DerivedCreateWithResponse(ctx, nil, api.DerivedCreateJSONRequestBody{Code: "sex",
		Datapoints: []api.DerivedDatapointNew{{Code: "women",
			Expression: &api.DerivedExpression{Question: &gender, Datapoints: &[]string{"f"}}}}})
	w.check(err)
	if made.JSON201 == nil {
		w.t.Fatalf("%d %s", made.StatusCode(), made.Body)
	}
	w.compare(w.curl(http.MethodGet, made.Headers201.Location), made.JSON201)
	changed, err := w.DerivedUpdateWithResponse(ctx, "sex", &api.DerivedUpdateParams{IfMatch: &made.Headers201.ETag},
		api.DerivedUpdateJSONRequestBody{Shared: &shared})
	w.check(err)
	w.compare(w.curl(http.MethodGet, made.Headers201.Location), changed.JSON200)
	read, err := w.DerivedReadWithResponse(ctx, "sex", nil)
	w.check(err)
	w.same(read.JSON200)
	list, err := w.DerivedListWithResponse(ctx, nil)
	w.check(err)
	w.same(list.JSON200)
	late, err := w.DerivedDeleteWithResponse(ctx, "sex", &api.DerivedDeleteParams{IfMatch: &made.Headers201.ETag})
	w.check(err)
	w.same(late.JSON412)
	gone, err := w.DerivedDeleteWithResponse(ctx, "sex", nil)
	w.check(err)
	if gone.StatusCode() != http.StatusNoContent {
		w.t.Errorf("deleted: %d", gone.StatusCode())
	}
}

// errors has an error in each shape.
func (w *walk) errors() {
	ctx, version := w.t.Context(), int64(99)
	wrong, err := w.StatsWithResponse(ctx, nil, api.StatsJSONRequestBody{Question: ""})
	w.check(err)
	w.same(wrong.JSON400)
	forbidden, err := w.StatsWithResponse(ctx, nil, api.StatsJSONRequestBody{Question: "nothing",
		Waves: &[]string{"w9"}})
	w.check(err)
	w.same(forbidden.JSON403)
	if got := forbidden.JSON403.Meta.ForbiddenCodes.Waves; len(got) != 1 || got[0] != "w9" {
		w.t.Errorf("the forbidden waves are %v", got)
	}
	moved, err := w.WavesWithResponse(ctx, &api.WavesParams{IfDataVersion: &version}, api.WavesJSONRequestBody{})
	w.check(err)
	w.same(moved.JSON412)
	unknown, err := w.ExploreWithResponse(ctx, "unknown", nil)
	w.check(err)
	w.same(unknown.JSON404)
}
