// Package catalogue lists what is in a survey: which questions, datapoints, categories, datasets, waves, locations and
// namespaces there are, and which of them a caller may use.
package catalogue
