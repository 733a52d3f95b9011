package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The assembly beside the generator is what it writes.
func TestFiles(t *testing.T) {
	for name := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, generate(name)) {
			t.Errorf("%s is not up to date: run go generate ./internal/kernel", name)
		}
	}
}
