package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// derivedPath is where derived questions are.
const derivedPath = "/v2/questions/derived"

// Derived is a derived question: its answers are expressions over other questions.
type Derived struct {
	Code        string             `json:"code"`
	Namespace   string             `json:"namespace_code"`
	Name        string             `json:"name"`
	Description string             `json:"description"`
	Datapoints  []DerivedDatapoint `json:"datapoints"`
	Shared      bool               `json:"shared"`
	Yours       bool               `json:"yours"`      // it belongs to the user of the key
	Accessible  bool               `json:"accessible"` // its code can be named
	Version     int64              `json:"version"`
	CreatedAt   string             `json:"created_at"`
	UpdatedAt   string             `json:"updated_at"`
}

// DerivedDatapoint is an answer of a derived question.
type DerivedDatapoint struct {
	Code       string          `json:"code"`
	Name       string          `json:"name"`
	Expression json.RawMessage `json:"expression"`
}

// DerivedPatch is what of a derived question is set; nil leaves a member as it is.
type DerivedPatch struct {
	Code        *string             `json:"code,omitempty"` // of a new question; it never changes
	Name        *string             `json:"name,omitempty"`
	Description *string             `json:"description,omitempty"`
	Datapoints  *[]DerivedDatapoint `json:"datapoints,omitempty"` // all of them, in their order
	Shared      *bool               `json:"shared,omitempty"`
}

// Derive defines a derived question. Code and Datapoints are required.
func (c *Client) Derive(ctx context.Context, p DerivedPatch) (*Derived, error) {
	return call[Derived](ctx, c, http.MethodPost, derivedPath, p)
}

// Derived reads a derived question.
func (c *Client) Derived(ctx context.Context, code string) (*Derived, error) {
	return call[Derived](ctx, c, http.MethodGet, derivedPath+"/"+url.PathEscape(code), nil)
}

// ListDerived lists the caller's derived questions and those of others that they may use, by code. It asks for one page
// after the other; what is defined or deleted meanwhile may be missed, or told twice.
func (c *Client) ListDerived(ctx context.Context) (all []Derived, err error) {
	type meta struct {
		Total int `json:"total"`
	}
	for {
		found, err := call[Answer[meta, []Derived]](ctx, c, http.MethodGet, fmt.Sprintf("%s?offset=%d", derivedPath,
			len(all)), nil)
		if err != nil {
			return nil, err
		}
		all = append(all, found.Data...)
		if len(found.Data) == 0 || len(all) >= found.Meta.Total {
			return all, nil
		}
	}
}

// ChangeDerived changes a derived question.
func (c *Client) ChangeDerived(ctx context.Context, code string, p DerivedPatch) (*Derived, error) {
	return call[Derived](ctx, c, http.MethodPatch, derivedPath+"/"+url.PathEscape(code), p)
}

// DeleteDerived deletes a derived question.
func (c *Client) DeleteDerived(ctx context.Context, code string) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, derivedPath+"/"+url.PathEscape(code), nil)
	return err
}
