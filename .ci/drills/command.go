package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// commandError is a command that ended with an error.
type commandError struct {
	args   []string
	code   int // -1 where it was killed
	stderr string
}

func (e *commandError) Error() string {
	return fmt.Sprintf("%s: exit code %d: %s", strings.Join(e.args, " "), e.code, e.stderr)
}

// run runs a program to its end and returns what it printed.
func run(program string, args ...string) (string, error) {
	return finish(exec.Command(program, args...), nil)
}

// finish runs a command that may be interfered with once it runs.
func finish(c *exec.Cmd, running func(*os.Process)) (string, error) {
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Start(); err != nil {
		return "", err
	}
	if running != nil {
		running(c.Process)
	}
	err := c.Wait()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return out.String(), &commandError{c.Args, exit.ExitCode(), strings.TrimSpace(errs.String())}
	}
	return out.String(), err
}

// killedAfter kills the command, as kill -9 does, once it has run for so long. done tells that it was faster.
func killedAfter(wait time.Duration, program string, args ...string) (done bool, err error) {
	_, err = finish(exec.Command(program, args...), func(p *os.Process) {
		time.Sleep(wait)
		p.Kill() // an error is that it has ended
	})
	if failed := (*commandError)(nil); errors.As(err, &failed) && failed.code == -1 {
		return false, nil
	}
	return err == nil, err
}

// cause tells whether an error of a command says in a line or a few what was wrong, and is no crash.
func cause(err error) bool {
	failed := (*commandError)(nil)
	return errors.As(err, &failed) && failed.code == 1 && strings.Contains(failed.stderr, "crosswave: ") &&
		!strings.Contains(failed.stderr, "goroutine ") && !strings.Contains(failed.stderr, "panic")
}
