package strictjson

import (
	"encoding/json"
	"strconv"
)

// AppendString appends s as a JSON string. Text that needs no escapes, as nearly all of a survey's, is copied.
func AppendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			quoted, err := json.Marshal(s)
			if err != nil { // it can't fail for a string
				return strconv.AppendQuote(b, s)
			}
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// Once is a list without what it repeats, in the order of first use; nil if it is empty.
func Once[T comparable](list []T) []T {
	var out []T
	seen := make(map[T]bool, len(list))
	for _, x := range list {
		if !seen[x] {
			seen[x] = true
			out = append(out, x)
		}
	}
	return out
}

// List is a list as answers show it: JSON writes a nil slice as null, and this one as [].
func List[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
