// Package words cuts texts into the words that they are found by, whatever their case and their accents: Plain is a
// text as it is compared, Text the words of a text that is to be found, Query those of a text that is looked for. It
// knows the accents of Latin, Greek, Cyrillic, Arabic and Hebrew letters, and the scripts that put no blanks between
// words.
package words
