// Package strictjson reads JSON as input from strangers: request bodies, codebooks, import files.
//
// # Strict
//
// [Parse] scans the whole text before anything else looks at it. It refuses, beside what is no JSON at all (RFC 8259):
//
//   - two members of one name in one object, names being compared as decoded ("a" and "\u0061" are the same);
//   - bytes that are not UTF-8, and escapes of half a surrogate pair, which no UTF-8 text can hold;
//   - numbers that a float64 cannot hold as a finite value, such as 1e999;
//   - nesting of more than [Depth] levels;
//   - anything but white space after the value, and a byte order mark before it.
//
// The scan keeps its own stack, so that the nesting of a text costs memory in proportion to its length and never the
// stack of a goroutine. Parsers that recurse, gjson among them, see only what has passed.
//
// # Shapes
//
// The caller then walks [Value] and [Object] and says at each place what it expects. What is absent or null reads as
// a zero value; what is of another type is an [Error] with the path of the place and what would be right. The first
// error of a document sticks: all reads after it give zero values, so that a decoder is written as if nothing could
// go wrong and asks once, at its end:
//
//	body, err := strictjson.Parse(data)
//	…
//	o := body.Object("name", "rows")
//	name := o.Text("name")
//	for _, row := range o.Items("rows") { … }
//	return body.Err()
//
// Values of one document are not safe for use by several goroutines at once.
package strictjson
