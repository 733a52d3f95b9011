// Package explorer tries the explorer in a real browser: what people do on it, that each number which it shows is the
// interface's, and that those can use it who have no mouse, a small screen or another server behind it than they
// thought. It is a module of its own, as it needs a browser and nobody else does; the script run has what it needs.
package explorer
