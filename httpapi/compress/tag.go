package compress

import (
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// separator stands between the tag of an answer and the coding that it is compressed by. Tags of ours hold none.
const separator = "+"

// codings are those that answers are compressed by.
var codings = []string{"zstd", "gzip"}

// tagged gives next the tags that it gave, without codings, and has a 304 carry the tag that the client sent: that is
// the answer which the client is to go on using, and a tag that it doesn't know would be of no use to its cache.
func tagged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		have, want := r.Header.Values("If-None-Match"), r.Header.Values("If-Match")
		if len(have) == 0 && len(want) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		bare, sent := usable(have, acceptable(r.Header))
		r = r.Clone(r.Context())
		replace(r.Header, "If-None-Match", have, bare)
		bare, _ = usable(want, codings) // what is to be changed is the record, however it was sent
		replace(r.Header, "If-Match", want, bare)
		next.ServeHTTP(&notModified{ResponseWriter: w, sent: sent}, r)
	})
}

func replace(h http.Header, name string, lines, bare []string) {
	if len(lines) > 0 {
		h[name] = []string{strings.Join(bare, ", ")}
	}
}

// usable takes the codings from the tags of a header. A tag with a coding that is not among those accepted stays as it
// is, so that it fits nothing. Which of the client's tags each became is in sent, the first where there are several.
func usable(lines, accepted []string) (bare []string, sent map[string]string) {
	sent = map[string]string{}
	for tag := range strings.SplitSeq(strings.Join(lines, ","), ",") { // a comma within a tag stays where it was
		was := strings.TrimSpace(tag)
		tag = was
		for _, coding := range accepted {
			if before, found := strings.CutSuffix(tag, separator+coding+`"`); found {
				tag = before + `"`
				break
			}
		}
		bare = append(bare, tag)
		if opaque := strings.TrimPrefix(tag, "W/"); sent[opaque] == "" {
			sent[opaque] = was
		}
	}
	return bare, sent
}

// acceptable are the codings that a request accepts.
func acceptable(h http.Header) (out []string) {
	for named := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		name, params, err := mime.ParseMediaType(named) // which a coding with its q is read like
		if q, qErr := strconv.ParseFloat(params["q"], 64); err == nil && slices.Contains(codings, name) &&
			(qErr != nil || q > 0) {
			out = append(out, name)
		}
	}
	return out
}

// notModified gives a 304 the tag that the client sent.
type notModified struct {
	http.ResponseWriter
	sent map[string]string // by the tag that it became
}

// Unwrap is for http.ResponseController.
func (w *notModified) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *notModified) WriteHeader(status int) {
	if status == http.StatusNotModified {
		if tag, found := w.sent[strings.TrimPrefix(w.Header().Get("ETag"), "W/")]; found {
			w.Header().Set("ETag", tag)
		}
	}
	w.ResponseWriter.WriteHeader(status)
}
