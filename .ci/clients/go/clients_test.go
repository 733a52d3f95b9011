//go:build generated

package clients_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"example.com/clients/api"
)

// audienceOf is an audience of those who gave an answer.
func audienceOf(id, question string, datapoints ...string) *api.Audience {
	return &api.Audience{Id: &id, Expression: &api.Expression{Question: &question, Datapoints: &datapoints}}
}

// Every endpoint of the document is asked, and nothing of any answer is lost.
func TestNothingIsLost(t *testing.T) {
	w := newWalk(t)
	document := w.service()
	w.crosstabs()
	w.stream()
	w.statistics()
	w.catalogue()
	w.insights()
	w.saved()
	w.derived()
	w.errors()
	for _, endpoint := range w.missing(document) {
		t.Errorf("%s is in the document and served nothing", endpoint)
	}
	if w.exact < 100 {
		t.Errorf("only %d numbers had more digits than 32 bits hold", w.exact)
	}
}

// service asks what is about the service itself, and returns the document.
func (w *walk) service() []byte {
	ctx := w.t.Context()
	health, err := w.HealthWithResponse(ctx)
	w.check(err)
	w.same(health.JSON200)
	ready, err := w.ReadyWithResponse(ctx)
	w.check(err)
	w.same(ready.JSON200)
	document, err := w.OpenapiWithResponse(ctx)
	w.check(err)
	var whole map[string]any
	w.check(json.Unmarshal(document.Body, &whole))
	w.same(whole)
	if document.JSON200.Openapi != "3.1.0" {
		w.t.Errorf("the document is of %s", document.JSON200.Openapi)
	}
	docs, err := w.DocsWithResponse(ctx)
	w.check(err)
	if !bytes.Equal(docs.Body, w.curl(http.MethodGet, "")) {
		w.t.Error("the page differs")
	}
	me, err := w.MeWithResponse(ctx, nil)
	w.check(err)
	w.same(me.JSON200)
	return document.Body
}

// surely asks for all there is about how sure figures are.
func surely(compare ...api.StatisticsOptionsCompare) *api.StatisticsOptions {
	yes, least := true, int64(1)
	o := &api.StatisticsOptions{Compare: &compare, Pairs: &yes}
	o.LowBase = &struct {
		Caution  *int64                            `json:"caution,omitempty"`
		Rule     *api.StatisticsOptionsLowBaseRule `json:"rule,omitempty"`
		Withhold *int64                            `json:"withhold,omitempty"`
	}{Withhold: &least, Caution: &least}
	return o
}

func (w *walk) crosstabs() {
	ctx, yes, no := w.t.Context(), true, false
	north, young := audienceOf("b3", "brands", "b3"), audienceOf("young", "age", "young")
	women, men := audienceOf("women", "gender", "f"), audienceOf("men", "gender", "m")
	request := api.CrosstabJSONRequestBody{Rows: &[]*api.Audience{women, north}, Columns: &[]*api.Audience{young, men},
		Coverage: &yes, Statistics: surely("rest", "previous", "columns")}
	table, err := w.CrosstabWithResponse(ctx, &api.CrosstabParams{Stream: &no}, request)
	w.check(err)
	w.same(table.JSON200)
	if n := len(table.JSON200.Data); n != 4 || table.JSON200.Meta.Cells != 4 || table.JSON200.Data[0].Row == nil {
		w.t.Errorf("%d cells of %d", n, table.JSON200.Meta.Cells)
	}
	request.Echo = &no
	table, err = w.CrosstabWithResponse(ctx, &api.CrosstabParams{Stream: &no}, request)
	w.check(err)
	w.same(table.JSON200)
	if table.JSON200.Data[0].Row != nil {
		w.t.Error("a row came back that was not wanted")
	}

	var one api.IntersectionJSONRequestBody
	one.Audiences.Row, one.Audiences.Column, one.Locations = young, women, &[]string{"east"}
	one.Coverage, one.Statistics = &yes, surely("rest")
	cell, err := w.IntersectionWithResponse(ctx, nil, one)
	w.check(err)
	w.same(cell.JSON200)
	const people = 710053087.898 // 710053056 with 32 bits
	if got := cell.JSON200.Data.Intersect; got.Size != people || got.Percentage != 99.99999985916546 {
		w.t.Errorf("%v people, who are %v percent", got.Size, got.Percentage)
	}
}

// stream reads cells as they come, in both framings.
func (w *walk) stream() {
	ctx, yes := w.t.Context(), true
	body := api.CrosstabJSONRequestBody{Coverage: &yes, Rows: &[]*api.Audience{audienceOf("women", "gender", "f"),
		audienceOf("s1", "shop.visit", "s1"), audienceOf("good", "mood", "good")},
		Columns: &[]*api.Audience{audienceOf("w1", "waves", "w1"), audienceOf("w2", "waves", "w2")}}
	for _, media := range []string{"application/x-ndjson", "application/json-seq"} {
		response, err := w.ClientInterface.Crosstab(ctx, nil, body, func(_ context.Context, r *http.Request) error {
			r.Header.Set("Accept", media)
			return nil
		})
		w.check(err)
		defer response.Body.Close()
		if got := response.Header.Get("Content-Type"); got != media {
			w.t.Errorf("the stream is %s, not %s", got, media)
		}
		text, err := io.ReadAll(response.Body)
		w.check(err)
		cells := []api.CrosstabCell{}
		d := json.NewDecoder(bytes.NewReader(bytes.ReplaceAll(text, []byte("\x1e"), nil)))
		for d.More() {
			var cell api.CrosstabCell
			w.check(d.Decode(&cell))
			cells = append(cells, cell)
		}
		if n := strconv.Itoa(len(cells)); n != "6" || response.Header.Get("X-Cell-Count") != n {
			w.t.Errorf("%s cells, and the header tells %s", n, response.Header.Get("X-Cell-Count"))
		}
		sent := bytes.TrimSpace(bytes.ReplaceAll(w.curl(http.MethodPost, ""), []byte("\x1e"), nil))
		w.compare([]byte("["+strings.ReplaceAll(string(sent), "\n", ",")+"]"), cells)
	}
}

func (w *walk) statistics() {
	ctx, yes := w.t.Context(), true
	women, men := audienceOf("women", "gender", "f"), audienceOf("men", "gender", "m")
	splitter := "waves"
	stats, err := w.StatsWithResponse(ctx, nil, api.StatsJSONRequestBody{Question: "brands", Splitter: &splitter,
		Audiences: &[]*api.Audience{women, men}, Coverage: &yes,
		Statistics: surely("rest", "previous", "audiences", "segments")})
	w.check(err)
	w.same(stats.JSON200)
	var daily, weekly api.StatsJSONBody_Suffixes_Item
	w.check(daily.FromStatsJSONBodySuffixes0("1"))
	w.check(weekly.FromStatsJSONBodySuffixes1(2))
	stats, err = w.StatsWithResponse(ctx, nil, api.StatsJSONRequestBody{Question: "use",
		Suffixes: &[]api.StatsJSONBody_Suffixes_Item{daily, weekly}})
	w.check(err)
	w.same(stats.JSON200)

	summary, err := w.SummaryWithResponse(ctx, nil, api.SummaryJSONRequestBody{Question: "age",
		Quantiles: &[]float64{2.5, 50}, Splitter: &splitter, Audiences: &[]*api.Audience{women, men}, Coverage: &yes,
		Statistics: surely("rest", "previous", "audiences", "segments")})
	w.check(err)
	w.same(summary.JSON200)
	least, most := int64(1), 50.0
	profile, err := w.ProfileWithResponse(ctx, nil, api.ProfileJSONRequestBody{Audience: women, MinSample: &least,
		FalseDiscovery: &most, Coverage: &yes})
	w.check(err)
	w.same(profile.JSON200)
	association, err := w.AssociationWithResponse(ctx, nil, api.AssociationJSONRequestBody{Coverage: &yes,
		Rows:    api.AssociationAxis{Question: "gender"},
		Columns: api.AssociationAxis{Question: "use", Datapoints: &[]string{"phone"}}})
	w.check(err)
	w.same(association.JSON200)
	counts, err := w.WaveCountsV3WithResponse(ctx, nil, api.WaveCountsV3JSONRequestBody{Expression: women.Expression,
		Coverage: &yes})
	w.check(err)
	w.same(counts.JSON200)
	level := 95.0
	trend, err := w.WaveCountsV2WithResponse(ctx, &api.WaveCountsV2Params{Coverage: &yes, Matched: &yes,
		Statistics: &level}, *women.Expression)
	w.check(err)
	w.same(trend.JSON200)
}
