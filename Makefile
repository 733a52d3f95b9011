# What one does here every day. CI runs .ci/run.

GO ?= go

.PHONY: test short race vet fuzz generate bench bench-peers clean

test: ## all tests
	$(GO) test ./...

short: ## the tests, with fewer random questions
	$(GO) test -short ./...

race: ## the race detector, on the short tests
	CGO_ENABLED=1 $(GO) test -race -short ./...

vet: ## vet, for both architectures
	$(GO) vet ./...
	GOARCH=arm64 $(GO) vet ./...

generate: ## the assembly kernels, from their generator
	$(GO) generate ./...

bench: ## Go benchmarks, for benchstat: make bench > new.txt
	$(GO) test -run '^$$' -bench . -benchmem -count 6 ./...

bench-peers: ## Crosswave beside DuckDB, SQLite and roaring bitmaps; needs a C compiler and 20 minutes
	cd store/bench && CGO_ENABLED=1 $(GO) run .

fuzz: ## the fuzz targets, some seconds each
	.ci/fuzz

clean:
	rm -f crosswave *.test *.prof
