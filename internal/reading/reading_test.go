// Package reading holds the Go files of the module to how they are to read. It is a test alone.
package reading

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Lines end by column 120, but for raw strings and for what examples print, and a comment that begins with a function's
// name stands above that function: in all Go files below the module's root, modules within it included.
func TestReading(t *testing.T) {
	folders := map[string]map[string]string{}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if entry.Name() == ".git" || entry.Name() == "testdata" {
				return filepath.SkipDir
			}
		case strings.HasSuffix(path, ".go"):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			folder := filepath.Dir(path)
			if folders[folder] == nil {
				folders[folder] = map[string]string{}
			}
			folders[folder][filepath.ToSlash(path)] = string(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) < 20 {
		t.Errorf("only %d folders were read", len(folders))
	}
	for _, files := range folders {
		list, err := faults(files)
		if err != nil {
			t.Error(err)
		}
		for _, fault := range list {
			t.Error(strings.TrimPrefix(fault, "../../"))
		}
	}
}
