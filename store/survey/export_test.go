package survey

// OpenText opens a CSV text as a table: its delimiter, or 0, and the bytes of a block, or 0. Package csv, which does
// that, imports this one, so it is set from outside, by TestMain.
var OpenText func(text string, delimiter rune, block int) (Table, error)
