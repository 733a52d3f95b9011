package explorer_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/httpapi/explorer"
)

// serving is the explorer before an interface that says what it was asked.
func serving(t *testing.T, basePath string) http.Handler {
	t.Helper()
	handler, err := explorer.Handler(basePath, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprintf(w, "%s %s", r.Method, r.URL.Path)
	}))
	if err != nil {
		t.Fatal(err)
	}
	return handler
}

func send(h http.Handler, method, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// folder is where the page says that its files are.
func folder(t *testing.T, h http.Handler, basePath string) string {
	t.Helper()
	page := text(t, send(h, "GET", basePath+"/"))
	found := regexp.MustCompile(`src="(explorer/[\w-]+)/main\.js"`).FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("the page names no program:\n%s", page)
	}
	return basePath + "/" + found[1]
}

// pageFiles are the paths of all files of the page.
func pageFiles(t *testing.T) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("page"), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) < 20 {
		t.Fatalf("%d files of the page, %v", len(names), err)
	}
	return names
}

func TestPage(t *testing.T) {
	for _, basePath := range []string{"", "/api/audiences"} {
		h := serving(t, basePath)
		r := send(h, "GET", basePath+"/")
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
			r.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%q: the page comes as %d, %v", basePath, r.StatusCode, r.Header)
		}
		page := text(t, r)
		if strings.Contains(page, "RELEASE") {
			t.Errorf("%q: what stands for something stands in the page itself:\n%s", basePath, page)
		}
		names := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(page, -1)
		if len(names) != 4 {
			t.Errorf("%q: beside its documentation the page needs a script, a sheet and an icon, and names %q", basePath, names)
		}
		for _, found := range names {
			if found[1] == "docs" {
				continue // which next answers
			}
			if r := send(h, "GET", basePath+"/"+found[1]); r.StatusCode != 200 {
				t.Errorf("%q: the page names %s, which is answered with %d", basePath, found[1], r.StatusCode)
			}
		}
	}
}

// Nothing of the page is run or loaded but what the server sends.
func TestPolicy(t *testing.T) {
	h := serving(t, "")
	const want = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
		"img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	for _, path := range []string{"/", folder(t, h, "") + "/main.js"} {
		header := send(h, "GET", path).Header
		for name, want := range map[string]string{"Content-Security-Policy": want, "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin"} {
			if got := header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
	}
	inline := regexp.MustCompile(`(?i)<style|\sstyle="|\son[a-z]+="|<script(?:\s+type="module")?>|javascript:|https?://`)
	if found := inline.FindString(text(t, send(h, "GET", "/"))); found != "" {
		t.Errorf("the page has %q, which the policy keeps from working", found)
	}
}

// The script and the style sheet have in them what they import, once; every other file is sent as it is.
func TestEveryFile(t *testing.T) {
	h := serving(t, "/x")
	at := folder(t, h, "/x")
	script, sheet := text(t, send(h, "GET", at+"/main.js")), text(t, send(h, "GET", at+"/main.css"))
	types := map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
		".svg": "image/svg+xml", ".md": "text/plain; charset=utf-8"}
	for _, name := range pageFiles(t) {
		if name == "index.html" {
			continue
		}
		want, err := os.ReadFile("page/" + name)
		if err != nil {
			t.Fatal(err)
		}
		r := send(h, "GET", at+"/"+name)
		got := text(t, r)
		if r.StatusCode != 200 || got != string(want) && name != "main.js" && name != "main.css" {
			t.Errorf("%s is answered with %d and %d bytes of %d", name, r.StatusCode, len(got), len(want))
		}
		if n := strings.Count(script, "\n// "+name+"\nconst $"); strings.HasSuffix(name, ".js") && n != 1 {
			t.Errorf("%s stands %d times in the script", name, n)
		}
		if n := strings.Count(sheet, strings.TrimSpace(got)); strings.HasPrefix(name, "style/") && n != 1 {
			t.Errorf("%s stands %d times in the style sheet", name, n)
		}
		for ending, want := range types {
			if got := r.Header.Get("Content-Type"); strings.HasSuffix(name, ending) && got != want {
				t.Errorf("%s has the type %q", name, got)
			}
		}
		if got := r.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s is kept as %q", name, got)
		}
	}
}

func TestEntityTags(t *testing.T) {
	h := serving(t, "")
	at := folder(t, h, "")
	tags := map[string]string{}
	for _, path := range []string{"/", at + "/main.js", at + "/app.js"} {
		tag := send(h, "GET", path).Header.Get("ETag")
		if !regexp.MustCompile(`^"[\w-]{20,}"$`).MatchString(tag) || tags[tag] != "" {
			t.Errorf("%s has the tag %s, as %q has", path, tag, tags[tag])
		}
		tags[tag] = path
		if r := send(h, "GET", path, "If-None-Match", `"other", `+tag); r.StatusCode != 304 || text(t, r) != "" {
			t.Errorf("%s is sent again to who has it: %d", path, r.StatusCode)
		}
		if r := send(h, "GET", path, "If-None-Match", `"other"`); r.StatusCode != 200 {
			t.Errorf("%s is not sent to who has another: %d", path, r.StatusCode)
		}
		if r := send(h, "HEAD", path); r.StatusCode != 200 || r.Header.Get("ETag") != tag || text(t, r) != "" {
			t.Errorf("HEAD %s is answered with %d, %v", path, r.StatusCode, r.Header)
		}
	}
}

// What is not the page's is the interface's.
func TestAllElseGoesOn(t *testing.T) {
	h := serving(t, "/x")
	for _, path := range []string{"GET /", "POST /x/", "POST /x/v2/query/crosstab", "GET /x/docs", "GET /x/explorer/",
		"GET /x/explorer/other/main.js", "PATCH /x", "GET /x/index.html"} {
		method, path, _ := strings.Cut(path, " ")
		if r := send(h, method, path); r.StatusCode != 418 || text(t, r) != method+" "+path {
			t.Errorf("%s %s is answered with %d", method, path, r.StatusCode)
		}
	}
	if r := send(h, "GET", "/x"); r.StatusCode != 308 || r.Header.Get("Location") != "/x/" {
		t.Errorf("/x is answered with %d, %v", r.StatusCode, r.Header)
	}
}

// The libraries are those of their packages, and each has its licence.
func TestLibraries(t *testing.T) {
	about, err := os.ReadFile("page/vendor/README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| ([\w./]+) \| .* (LICENSE-\w+) \| ([0-9a-f]{64}) \|$`).
		FindAllStringSubmatch(string(about), -1)
	told := map[string]bool{"vendor/README.md": true}
	for _, row := range rows {
		name, licence := "vendor/"+row[1], "vendor/"+row[2]
		body, err := os.ReadFile("page/" + name)
		if err != nil {
			t.Error(err)
			continue
		}
		original := strings.Replace(string(body), `from"./preact.js"`, `from"preact"`, 1)
		if sum := sha256.Sum256([]byte(original)); hex.EncodeToString(sum[:]) != row[3] {
			t.Errorf("%s is not what its package has: %x", name, sum)
		}
		if text, err := os.ReadFile("page/" + licence); err != nil || !strings.Contains(string(text), "opyright") {
			t.Errorf("%s has no licence at %s: %v", name, licence, err)
		}
		told[name], told[licence] = true, true
	}
	for _, name := range pageFiles(t) {
		if strings.HasPrefix(name, "vendor/") && !told[name] {
			t.Errorf("%s is not told of in vendor/README.md", name)
		}
	}
}

// Modules of ours are small, begin by saying what they are, and import what is there.
func TestModules(t *testing.T) {
	imports := regexp.MustCompile(`(?m)(?:from |import\()"([^"]+)"`)
	for _, name := range pageFiles(t) {
		if strings.HasPrefix(name, "vendor/") || !strings.HasSuffix(name, ".js") {
			continue
		}
		body, err := os.ReadFile("page/" + name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(body), "\n")
		if len(lines) > 300 || !strings.HasPrefix(lines[0], "// ") {
			t.Errorf("%s has %d lines and begins with %q", name, len(lines), lines[0])
		}
		for i, line := range lines {
			if len([]rune(line)) > 120 {
				t.Errorf("%s:%d has %d characters", name, i+1, len([]rune(line)))
			}
		}
		for _, found := range imports.FindAllStringSubmatch(string(body), -1) {
			if _, err := os.Stat("page/" + name[:strings.LastIndex("/"+name, "/")] + found[1]); err != nil {
				t.Errorf("%s imports %s: %v", name, found[1], err)
			}
		}
	}
}
