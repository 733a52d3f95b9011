// Package python holds crosswave.py, a client for Python with nothing but its standard library. There is no Go in it
// but the tests, which try the client on a real server.
package python
