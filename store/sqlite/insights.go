package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/insights"
)

// Insight returns a published insight.
func (s *Store) Insight(ctx context.Context, id int64) (insights.Insight, error) {
	i, err := scanInsight(s.read.QueryRowContext(ctx, `SELECT `+insightColumns+` WHERE i.id = ?`, id).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		if err = allSound(ctx, s.read, "insight", `SELECT i.id FROM insight i WHERE i.seal <> `+insightSeal); err == nil {
			err = fmt.Errorf("insight %d: %w", id, audience.ErrNotFound)
		}
	}
	return i, err
}

const insightColumns = `i.id, i.record, i.seal = ` + insightSeal + ` FROM insight i`

// Insights returns all published insights, by id.
func (s *Store) Insights(ctx context.Context) ([]insights.Insight, error) {
	return collect(ctx, s.read, scanInsight, `SELECT `+insightColumns+` ORDER BY i.id`)
}

func scanInsight(scan func(...any) error) (i insights.Insight, err error) {
	var id int64
	var record string
	var sound bool
	if err := scan(&id, &record, &sound); err != nil {
		return i, err
	}
	if err := json.Unmarshal([]byte(record), &i); err != nil || !sound {
		return i, &DamagedError{fmt.Sprintf("insight %d", id)}
	}
	return i, nil
}

// Generic returns a generic insight.
func (s *Store) Generic(ctx context.Context, id string) (g insights.Generic, err error) {
	var record string
	var sound bool
	err = s.read.QueryRowContext(ctx, `SELECT g.record, g.seal = `+genericSeal+` FROM generic g WHERE g.id = ?`,
		id).Scan(&record, &sound)
	if errors.Is(err, sql.ErrNoRows) {
		if err = allSound(ctx, s.read, "generic insight", `SELECT g.id FROM generic g WHERE g.seal <> `+genericSeal); err ==
			nil {
			err = fmt.Errorf("generic insight %s: %w", id, audience.ErrNotFound)
		}
	}
	if err != nil {
		return g, err
	}
	if g, err = insights.ReadGeneric(record, ""); err != nil || !sound {
		return g, &DamagedError{fmt.Sprintf("generic insight %s", id)}
	}
	return g, nil
}

// PutInsights puts the insights of a file in, in the place of those with the same ids; with replace, of all there are.
// All of them or none.
func (s *Store) PutInsights(ctx context.Context, f *insights.File, replace bool) error {
	return s.update(ctx, func(tx *sql.Tx) error {
		if replace {
			if _, err := tx.ExecContext(ctx, `DELETE FROM insight; DELETE FROM generic`); err != nil {
				return err
			}
		}
		for _, i := range f.Insights {
			record, err := json.Marshal(i)
			if err == nil {
				_, err = tx.ExecContext(ctx, `INSERT INTO insight (id, record) VALUES (?, ?) `+
					`ON CONFLICT DO UPDATE SET record = excluded.record`, i.ID, string(record))
			}
			if err == nil {
				_, err = tx.ExecContext(ctx, sealInsight+` WHERE i.id = ?`, i.ID)
			}
			if err != nil {
				return err
			}
		}
		for _, g := range f.Generic {
			record, err := insights.WriteGeneric(g)
			if err == nil {
				_, err = tx.ExecContext(ctx, `INSERT INTO generic (id, record) VALUES (?, ?) `+
					`ON CONFLICT DO UPDATE SET record = excluded.record`, g.ID, string(record))
			}
			if err == nil {
				_, err = tx.ExecContext(ctx, sealGeneric+` WHERE g.id = ?`, g.ID)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
