package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/alecthomas/kong"
	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/sqlite"
)

// Main is the program with its streams, so that tests can run it whole. Results go to Stdout, all else to Stderr.
type Main struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// commands is the command line. Every flag can be given as an environment variable too, which is named by the command
// and the flag and bears on that command alone: CROSSWAVE_CROSSTAB_WAVES. Those that say where the data are bear on all
// commands: CROSSWAVE_DB and CROSSWAVE_CLICKHOUSE.
type commands struct {
	Version kong.VersionFlag `help:"Print what runs: version, commit and kernel."`

	Demo       demoCommand       `cmd:"" help:"Generate a survey, print a crosstab of it and serve it with a fresh key."`
	Import     importCommand     `cmd:"" help:"Read a survey file into a store."`
	Export     exportCommand     `cmd:"" help:"Write a store as a survey file."`
	Wave       waveCommand       `cmd:"" help:"Change which waves a store holds."`
	Codebook   codebookCommand   `cmd:"" help:"Correct names, texts and order in a store, without importing again."`
	Question   questionCommand   `cmd:"" help:"Derive questions from others: nets, recodes, bands."`
	Respondent respondentCommand `cmd:"" help:"Remove respondents from a store."`
	Inspect    inspectCommand    `cmd:"" help:"Show what a store holds, or how a survey file would be read."`
	Find       findCommand       `cmd:"" help:"Find questions and answers by words, or by how they begin."`
	Serve      serveCommand      `cmd:"" help:"Serve a store, or a survey file, over HTTP."`
	Insights   insightsCommand   `cmd:"" help:"Manage what analysts have published."`
	ClickHouse clickhouseCommand `cmd:"" name:"clickhouse" help:"Keep a store's respondents on several machines."`
	Backup     backupCommand     `cmd:"" help:"Copy a store to a file of its own, also while it is served and written to."`
	Restore    restoreCommand    `cmd:"" help:"Put a backup in the place of a store."`
	Check      checkCommand      `cmd:"" help:"Check a store: each checksum and reference, and figures counted again."`
	Compact    compactCommand    `cmd:"" help:"Give back the room that what was removed has left in a store."`
	Key        keyCommand        `cmd:"" help:"Manage the keys that requests are sent with."`
	Crosstab   crosstabCommand   `cmd:"" help:"Cross audiences and print the table."`
	Book       bookCommand       `cmd:"" help:"Write many crosstabs as one workbook, by a plan."`
	Summary    summaryCommand    `cmd:"" help:"Summarise the numbers of a question: means, quantiles, how sure they are."`
	Associate  associateCommand  `cmd:"" name:"association" help:"Tell how far two questions go together."`
	Profile    profileCommand    `cmd:"" help:"Rank what sets an audience apart, over every attribute."`
	Query      queryCommand      `cmd:"" help:"${query}"`
}

// usageError is a fault in how the program was called: exit code 2.
type usageError struct{ error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errAnswered ends the program with exit code 1 when the answer on Stdout has said why.
var errAnswered = errors.New("the answer tells of an error")

// Run runs the command that args name and returns the exit code: 0, 1 for a failure, 2 for a wrong call.
func (m Main) Run(ctx context.Context, args []string) int {
	var cmds commands
	exit := -1
	parser, err := kong.New(&cmds,
		kong.Name("crosswave"),
		kong.Description("Analytical questions about weighted survey audiences: who are these people, how many are "+
			"they, what sets them apart. A flag can be given as an environment variable, which bears on its command only: "+
			"CROSSWAVE_CROSSTAB_WAVES. CROSSWAVE_DB and CROSSWAVE_CLICKHOUSE bear on all that have the flag, but for demo."),
		environment("CROSSWAVE"),
		help(),
		kong.Vars{"version": version()},
		kong.Writers(m.Stdout, m.Stderr),
		kong.Exit(func(code int) { exit = code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(m),
	)
	if err != nil {
		fmt.Fprintln(m.Stderr, "crosswave:", err)
		return 1
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if exit >= 0 { // --help or --version has been answered
		return exit
	}
	if err != nil {
		fmt.Fprintf(m.Stderr, "crosswave: %v; see crosswave --help\n", err)
		return 2
	}
	if err = command.Run(); err == nil {
		return 0
	}
	if !errors.Is(err, errAnswered) {
		fmt.Fprintln(m.Stderr, "crosswave:", err)
	}
	if wrong := (usageError{}); errors.As(err, &wrong) {
		return 2
	}
	return 1
}

// database is the flag that names a store.
type database struct {
	DB string `name:"db" required:"" env:"CROSSWAVE_DB" placeholder:"FILE" help:"The store: one SQLite file."`
}

// open opens the store, which must be there, for writing.
func (d database) open(ctx context.Context) (*sqlite.Store, error) {
	return openStore(ctx, d.DB, sqlite.Config{})
}

func openStore(ctx context.Context, path string, config sqlite.Config) (*sqlite.Store, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no store at %s: make one with crosswave import", path)
	}
	return sqlite.Open(ctx, path, config)
}

// readOnly is the flag of commands that can do with reading.
type readOnly struct {
	ReadOnly bool `help:"${readonly}"`
}

// openStore opens a store, which must be there. One that can't be written to is opened for reading only without being
// asked, and it says so.
func (r readOnly) openStore(ctx context.Context, path string, m Main) (*sqlite.Store, error) {
	return r.openWith(ctx, path, sqlite.Config{}, m)
}

// openWith opens a store in the same way, otherwise as configured.
func (r readOnly) openWith(ctx context.Context, path string, config sqlite.Config, m Main) (*sqlite.Store, error) {
	config.ReadOnly = r.ReadOnly
	db, err := openStore(ctx, path, config)
	if r.ReadOnly || !errors.Is(err, audience.ErrReadOnly) {
		return db, err
	}
	fmt.Fprintf(m.Stderr, "%s can't be written to: it is opened for reading only\n", path)
	config.ReadOnly = true
	return openStore(ctx, path, config)
}

// threaded is the flag of commands that count or import on several threads.
type threaded struct {
	Threads uint16 `placeholder:"N" help:"${threads}"`
}

// config is how the store is opened for so many threads.
func (t threaded) config() sqlite.Config { return sqlite.Config{Threads: int(t.Threads)} }
