// Package explorer is the page at the root of a server, where people look at a survey before they read of it: find a
// question, cross it with another, take the table away. It asks the interface alone, by the key that its user signs in
// with, so whatever it shows any other client can have.
//
// It stands apart from package httpapi, which has no page of its own but the contract's. Wrap what httpapi.New returns:
//
//	handler, err = explorer.Handler(basePath, handler)
//
// The files lie in the folder page as browsers run them. Nothing needs to be built, nothing is loaded from elsewhere; a
// server joins the modules to one script and the style sheets to one as it starts, so that a page is three requests.
package explorer

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
)

//go:embed page
var files embed.FS

// policy has browsers run and load what the server itself sends, and ask nobody else. Images may be made by the page,
// as charts are before they are taken away.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// release stands in the page for the folder that the other files are asked from.
const release = "RELEASE"

// file is one that is sent as it is.
type file struct {
	body        []byte
	contentType string
	tag         string
	forever     bool // its address names its content
}

// Handler answers for the page at basePath, as httpapi.Config.BasePath has it, and its files below basePath +
// "/explorer/", and leaves all else to next. The page itself is asked for anew each time, by its entity tag; the other
// files lie in a folder that is named by the content of all of them, and browsers keep them for good. The error is one
// of the files, and not of what is asked.
func Handler(basePath string, next http.Handler) (http.Handler, error) {
	sent, err := arranged(basePath)
	if err != nil {
		return nil, fmt.Errorf("explorer: %w", err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead
		switch f, ours := sent[r.URL.Path]; {
		case ours && reads:
			f.send(w, r)
		case reads && basePath != "" && r.URL.Path == basePath:
			// Whose address ends without a slash would look for the files beside it.
			http.Redirect(w, r, basePath+"/", http.StatusPermanentRedirect)
		default:
			next.ServeHTTP(w, r)
		}
	}), nil
}

// arranged is every file by the path that it is asked at. The script and the style sheet that the page names have in
// them what they import.
func arranged(basePath string) (map[string]file, error) {
	bodies := map[string][]byte{}
	err := fs.WalkDir(files, "page", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := files.ReadFile(name)
		bodies[strings.TrimPrefix(name, "page/")] = body
		return err
	})
	if err != nil {
		return nil, err
	}
	if bodies["main.js"], err = joinModules(bodies, "main.js"); err != nil {
		return nil, err
	}
	if bodies["main.css"], err = joinSheets(bodies, "main.css"); err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(bodies))
	folder := "explorer/" + digest(names, bodies)
	sent := map[string]file{}
	for _, name := range names {
		contentType := typeOf(name)
		if contentType == "" {
			return nil, fmt.Errorf("page/%s is of no type that browsers are sent", name)
		}
		if name != "index.html" {
			sent[basePath+"/"+folder+"/"+name] = file{bodies[name], contentType, tagOf(bodies[name]), true}
		}
	}
	page := strings.ReplaceAll(string(bodies["index.html"]), release, folder)
	sent[basePath+"/"] = file{[]byte(page), typeOf("index.html"), tagOf([]byte(page)), false}
	return sent, nil
}

// digest names the content of all files, and their names.
func digest(names []string, bodies map[string][]byte) string {
	h := sha256.New()
	for _, name := range names {
		fmt.Fprintf(h, "%s %d\n", name, len(bodies[name]))
		h.Write(bodies[name])
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:12])
}

// tagOf is a strong entity tag: one content, one tag.
func tagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// typeOf is the media type of a file, "" if it has none; by a list of our own, as machines differ in theirs.
func typeOf(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".html":
		return "text/html; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".md", "":
		return "text/plain; charset=utf-8"
	}
	return ""
}

// send answers with the file, or with nothing to who has it already.
func (f file) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Content-Type", f.contentType)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("ETag", f.tag)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	if f.forever {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}
