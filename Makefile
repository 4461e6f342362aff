# Every target works in a fresh clone. A real Neo4j comes from NEO4J_URI, a Docker
# engine, or Java 17 and Maven, in this order.
SHELL := /bin/sh
GO ?= go
# The race detector needs a C compiler; RACE= leaves it out.
RACE ?= -race
# Further flags of go test.
TESTFLAGS ?=
# How often make fuzz calls each target, or how long (1m).
FUZZTIME ?= 50000x
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.DEFAULT_GOAL := help
.PHONY: help up down demo bench fault test test-short fuzz lint build clean

help: ## Show this list (default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: go ## Start a real Neo4j, or find the one that runs
	@$(GO) run ./integration/server up

down: go ## End what make up started; data stays
	@$(GO) run ./integration/server down

demo: go ## Load real input and play a conversation on a real Neo4j
	@$(GO) run ./integration/server with -- $(GO) run ./integration/demo

bench: go ## Compare with hand-written driver code; ARGS="-run turn", see docs/performance.md
	@$(GO) run ./integration/server with -- $(GO) run ./integration/bench $(ARGS)

fault: go ## Cut, stall, kill: hundreds of rounds, see docs/reliability.md; ARGS="-run Rounds"
	ACERVO_FAULT_ROUNDS=$${ACERVO_FAULT_ROUNDS:-300} ACERVO_FAULT_KILLS=$${ACERVO_FAULT_KILLS:-40} ACERVO_FAULT_DEADLINES=$${ACERVO_FAULT_DEADLINES:-1000} \
		$(GO) test $(RACE) -count=1 -timeout 3h -v $(ARGS) ./integration/fault

test: go ## Run every test, against a real Neo4j
	$(GO) test $(RACE) -count=1 -timeout 45m $(TESTFLAGS) ./...

test-short: go ## Run the tests that need no database
	$(GO) test -short ./...

fuzz: go ## Give random input to all that reads input; FUZZTIME=10m for each
	@set -e; for file in $$(grep -rl --include='*_test.go' '^func Fuzz' .); do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z]*\).*/\1/p' $$file); do \
			echo "$$name, $(FUZZTIME)"; \
			$(GO) test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5s $$(dirname $$file); \
		done; \
	done

lint: go ## Check formatting, go vet and staticcheck
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "not formatted: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

build: go ## Build bin/acervo
	$(GO) build -o bin/acervo ./cmd/acervo

clean: down ## End what make up started and remove everything that was downloaded or written
	rm -rf .neo4j bin

.PHONY: go
go:
	@command -v $(GO) >/dev/null 2>&1 || { echo "Go isn't installed: see https://go.dev/doc/install (1.26 or newer)"; exit 1; }
