// Package inference has the mathematics of how sure a figure is: variances from moments, intervals, tests, corrections
// for many tests, and the quality of percentages. It knows numbers only.
package inference
