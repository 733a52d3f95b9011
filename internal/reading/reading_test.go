// Package reading holds the Go files of the module to how they are to read.
package reading

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// longest is the last column of a line; a tab counts one.
const longest = 120

// The lines of Go files end by column 120, but for those that hold data in a raw string or what an example prints, and
// a comment above a function that begins with a function's name begins with that of its own.
func TestReading(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(name, ".") && !strings.Trim(name, ".") == "" || name == "testdata"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, fault := range faults(path, text) {
			t.Error(fault)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 300 {
		t.Errorf("only %d files were read", files)
	}
}
