# What one does here every day. CI runs .ci/run, which has all there is, and .ci/run quick.

GO ?= go

.PHONY: ci test whole short race vet fuzz generate bench bench-quick bench-peers clean

ci: ## what every change must pass
	.ci/run quick

test: ## all tests
	$(GO) test ./...

whole: ## all tests at their full length
	CROSSWAVE_TESTS=whole $(GO) test -timeout 30m ./...

short: ## the tests, with fewer random questions
	$(GO) test -short ./...

race: ## the race detector, on the short tests
	.ci/race

vet: ## vet, for both architectures
	$(GO) vet ./...
	GOARCH=arm64 $(GO) vet ./...

generate: ## the assembly kernels, from their generator
	$(GO) generate ./...

bench: ## Go benchmarks, for benchstat: make bench > new.txt
	$(GO) test -run '^$$' -bench . -benchmem -count 6 ./...

bench-peers: ## Crosswave beside DuckDB, SQLite, roaring bitmaps and R's survey package; needs a C compiler and 20 minutes
	cd store/bench && CGO_ENABLED=1 $(GO) run .

bench-quick: ## bench-peers in two minutes, with a fifth of the respondents, beside DuckDB
	cd store/bench && CGO_ENABLED=1 $(GO) run . -quick


fuzz: ## the fuzz targets, some seconds each
	.ci/fuzz

clean:
	rm -f crosswave *.test *.prof
