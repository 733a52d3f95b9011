// Package cells is what readers of workbooks have in common, whatever the format: the rows that they give, what they
// notice, and how a number is written as its cell shows it.
package cells
