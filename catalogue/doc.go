// Package catalogue describes surveys and finds one's way in them: which questions, datapoints, categories, datasets,
// waves, locations and namespaces there are, and which of them a caller may use.
package catalogue
