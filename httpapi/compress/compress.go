// Package compress has answers of a server compressed for clients that ask for it: by zstd or gzip, as their
// Accept-Encoding names them. Cells of a crosstab are much alike, so that a large one takes a small part of its bytes.
//
// It stands apart from package httpapi because of what it links. Wrap what httpapi.New returns:
//
//	handler, err = compress.Handler(handler)
package compress

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"
)

// leastBytes is what an answer must have at least to be compressed: a shorter one fits a packet as it is.
const leastBytes = 1400

// Handler returns a handler that answers as next does, compressed where the client asks for it and it is worth it. An
// answer that breaks off breaks off for the client, too. The error is one of how the compression is set up.
//
// An entity tag stands for certain bytes, so a compressed answer has one of its own: the tag of next with the coding
// behind it, "v3" becoming "v3+zstd". Clients send it back in If-None-Match and If-Match as any other, and next gets
// the tag that it gave.
func Handler(next http.Handler) (http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(leastBytes), gzhttp.EnableZstd(true), gzhttp.PreferZstd(true),
		gzhttp.SuffixETag(separator+"gzip"), // zstd in the place of gzip where that is the coding
		gzhttp.ContentTypes([]string{"application/json", "application/x-ndjson", "application/json-seq", "text/html",
			"text/csv", "text/javascript", "text/css", "image/svg+xml"}))
	if err != nil {
		return nil, err
	}
	return wrap(tagged(next)), nil
}
