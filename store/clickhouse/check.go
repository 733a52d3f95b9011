package clickhouse

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Inventory is what Check found.
type Inventory struct {
	Servers []string `json:"servers"` // their addresses, in the order of Config.Addresses
	Waves   []Stock  `json:"waves"`   // those of which respondents are published, in the order in which they first were
	// Others are respondents on the servers that are not published: of imports under way, or left by killed ones.
	Others int64 `json:"others"`
	// Faults say in words what is wrong, each with the server or the wave: none if questions find all respondents.
	Faults []string `json:"faults"`
}

// Stock is how many respondents of a wave there are.
type Stock struct {
	Wave      string  `json:"wave"`
	Published int64   `json:"published"`
	Found     int64   `json:"found"`
	By        []int64 `json:"by"` // found, by server, in the order of Inventory.Servers; 0 on one that was not reached
}

// Check compares what is published with what each server has, and has the servers read all of it. It changes nothing.
// The error is one of the embedded store's; whatever is wrong with servers is in the Inventory.
func (s *Store) Check(ctx context.Context) (*Inventory, error) {
	f, err := s.embedded.Frame(ctx)
	if err != nil {
		return nil, err
	}
	_, st, _, err := s.published(ctx)
	if err != nil {
		return nil, err
	}
	out := &Inventory{Waves: []Stock{}, Faults: []string{}}
	stored, errs := s.partitionsOf(ctx, s.servers)
	for _, err := range errs {
		if err != nil {
			out.Faults = append(out.Faults, err.Error())
		}
	}
	known := map[uint16]int{}
	for _, w := range st.Waves {
		if len(w.Parts) == 0 {
			continue
		}
		known[w.Number] = len(out.Waves)
		stock := Stock{Wave: w.Code, By: make([]int64, len(s.servers))}
		for _, p := range w.Parts {
			stock.Published += p.Respondents
		}
		out.Waves = append(out.Waves, stock)
	}
	at := map[*server]int{}
	for i, sh := range s.servers {
		out.Servers, at[sh.servers[0]] = append(out.Servers, sh.address), i
	}
	others := make([]int64, len(s.servers))
	for _, p := range stored {
		i := at[p.shard.servers[0]]
		if !st.live(p.wave, p.number) {
			others[i] += p.rows
			continue
		}
		out.Waves[known[p.wave]].By[i] += p.rows
	}
	whole := true
	for _, sh := range s.shards {
		first := at[sh.servers[0]]
		last := first + len(sh.servers)
		out.Others += slices.Max(others[first:last])
		for i := range out.Waves {
			out.Waves[i].Found += slices.Max(out.Waves[i].By[first:last])
		}
		whole = whole && slices.Contains(errs[first:last], nil)
	}
	if !whole {
		return out, ctx.Err()
	}
	for i := range out.Waves {
		out.Faults = append(out.Faults, s.lacks(&out.Waves[i], errs)...)
	}
	if len(out.Faults) == 0 && len(out.Waves) > 0 {
		if err := s.choosing(ctx, func(ctx context.Context) error { return s.verify(ctx, &version{f, st}) }); err != nil {
			out.Faults = append(out.Faults, err.Error())
		}
	}
	return out, ctx.Err()
}

// lacks says where a wave lacks respondents. Nobody keeps how many of them each shard was given, but as chance divides
// them evenly, one that has lost some is known by having far fewer than its share; a replica is known by another one of
// its shard that has more. Errs tell of servers that were not asked.
func (s *Store) lacks(k *Stock, errs []error) (list []string) {
	if k.Found != k.Published {
		list = append(list, (&MissingError{Wave: k.Wave, Want: k.Published, Got: k.Found}).Error())
	}
	share := float64(k.Published) / float64(len(s.shards))
	first := 0
	for _, sh := range s.shards {
		by := k.By[first : first+len(sh.servers)]
		most := slices.Max(by)
		if n := float64(most); k.Found != k.Published && (n < share-6*math.Sqrt(share) || n == 0) {
			list = append(list, fmt.Sprintf("ClickHouse server %s has %d respondents of wave %q, and about %.0f were "+
				"sent to it", sh.address, most, k.Wave, share))
		}
		for i, n := range by {
			if n < most && errs[first+i] == nil {
				list = append(list, fmt.Sprintf("ClickHouse server %s has %d respondents of wave %q, and another replica "+
					"of the shard %d: it is behind, or has lost some", sh.servers[i].address, n, k.Wave, most))
			}
		}
		first += len(sh.servers)
	}
	return list
}
