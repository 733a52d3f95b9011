package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/crosswave/crosswave/httpapi/metrics"
	"github.com/crosswave/crosswave/internal/kernel"
)

// build tells what runs, as the program was built: of a program that was not built from a repository the commit is not
// known.
func build() metrics.Build {
	b := metrics.Build{Version: "unknown", Commit: "unknown", Kernel: kernel.Best().Name(), Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Version = cmp.Or(info.Main.Version, b.Version)
	changed := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.Commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+changes"
		}
	}
	b.Commit += changed
	return b
}

// version is what --version prints.
func version() string {
	b := build()
	return fmt.Sprintf("crosswave %s, commit %s, %s %s/%s, kernel %s", b.Version, b.Commit, b.Go, runtime.GOOS,
		runtime.GOARCH, b.Kernel)
}
