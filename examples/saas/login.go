package main

import (
	"context"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
)

// accounts are the people of all tenants, and who of them is logged in.
type accounts struct{ db *sql.DB }

// rounds make each guess at a stolen hash as slow as a login.
const rounds = 600_000

// sessionTime is how long a token is good for.
const sessionTime = 12 * time.Hour

var errNoAccount = errors.New("there is no account with that address and password")

func hash(password string, salt []byte) ([]byte, error) {
	return pbkdf2.Key(sha256.New, password, salt, rounds, sha256.Size)
}

// create makes an account, or sets the password of one.
func (as *accounts) create(ctx context.Context, tenant, email, password string) error {
	salt := make([]byte, 16)
	rand.Read(salt) // never fails
	sum, err := hash(password, salt)
	if err != nil {
		return err
	}
	_, err = as.db.ExecContext(ctx, `INSERT INTO account (tenant, email, salt, hash) VALUES ($1, $2, $3, $4)
		ON CONFLICT (tenant, email) DO UPDATE SET salt = $3, hash = $4`, tenant, email, salt, sum)
	return err
}

// login returns a token for whoever knows the password; errNoAccount for all others. Whether there is such an account
// can't be told from how long that takes.
func (as *accounts) login(ctx context.Context, tenant, email, password string) (token string, expires time.Time,
	err error) {
	var salt, want []byte
	err = as.db.QueryRowContext(ctx, `SELECT salt, hash FROM account WHERE tenant = $1 AND email = $2`, tenant,
		email).Scan(&salt, &want)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", expires, err
	}
	got, err := hash(password, salt)
	if err != nil {
		return "", expires, err
	}
	if subtle.ConstantTimeCompare(got, want) == 0 {
		return "", expires, errNoAccount
	}
	token, expires = rand.Text(), time.Now().Add(sessionTime).UTC().Truncate(time.Second)
	sum := sha256.Sum256([]byte(token))
	_, err = as.db.ExecContext(ctx, `INSERT INTO session (hash, tenant, email, expires) VALUES ($1, $2, $3, $4)`, sum[:],
		tenant, email, expires)
	return token, expires, err
}

// session tells who of a tenant a token belongs to, and what they may use; audience.ErrNotFound if nobody's any more.
func (as *accounts) session(ctx context.Context, tenant, token string) (email string, grant audience.Grant, err error) {
	var allowed []byte
	sum := sha256.Sum256([]byte(token))
	err = as.db.QueryRowContext(ctx, `SELECT s.email, t.allowed FROM session s JOIN tenant t ON t.id = s.tenant
		WHERE s.hash = $1 AND s.tenant = $2 AND s.expires > now()`, sum[:], tenant).Scan(&email, &allowed)
	if errors.Is(err, sql.ErrNoRows) {
		return "", grant, fmt.Errorf("nobody is logged in with that token: %w", audience.ErrNotFound)
	}
	if err == nil {
		err = json.Unmarshal(allowed, &grant)
	}
	return email, grant, err
}

// logout ends a session; one that is none is none afterwards, too.
func (as *accounts) logout(ctx context.Context, token string) error {
	sum := sha256.Sum256([]byte(token))
	_, err := as.db.ExecContext(ctx, `DELETE FROM session WHERE hash = $1 OR expires <= now()`, sum[:])
	return err
}

// handleLogin answers POST /{tenant}/login with a token.
func (as *accounts) handleLogin(w http.ResponseWriter, r *http.Request) {
	var sent struct{ Email, Password string }
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&sent); err != nil {
		http.Error(w, `send {"email": …, "password": …}`, http.StatusBadRequest)
		return
	}
	token, expires, err := as.login(r.Context(), r.PathValue("tenant"), sent.Email, sent.Password)
	switch {
	case errors.Is(err, errNoAccount):
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	case err != nil:
		http.Error(w, "try again later", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"token": token, "expires": expires})
}

// handleLogout answers POST /{tenant}/logout.
func (as *accounts) handleLogout(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if err := as.logout(r.Context(), token); err != nil {
		http.Error(w, "try again later", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
