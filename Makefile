# make check      everything in three minutes: run it before every commit
# make test       the whole suite: real servers, race detector, fuzzing, kills
# make test-long  hours of the same, before a release

GO ?= go
GOLANGCI_VERSION := v2.15.0

# One linter version for everyone, built once into bin/, which git ignores. The
# name carries the version, so that a new pin is a new build.
BIN := $(CURDIR)/bin
GOLANGCI := $(BIN)/golangci-lint-$(GOLANGCI_VERSION)

# Stamping the version control state fails in a checkout owned by somebody else.
export GOFLAGS += -buildvcs=false

FUZZTIME ?= 5s
KILLS ?= 10
TEST_TIMEOUT ?= 15m
CROSS := darwin/arm64 windows/amd64 freebsd/amd64

.DEFAULT_GOAL := build
.PHONY: build vet lint fmt test-fast check tidy-check generate-check cross tools test-race fuzz test repeat bench-engine bench-schedule test-long clean

build:
	$(GO) build -trimpath -o benchstat-http ./cmd/benchstat-http

vet:
	$(GO) vet ./...

$(GOLANGCI):
	@mkdir -p "$(BIN)"
	GOBIN="$(BIN)/build" $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv "$(BIN)/build/golangci-lint" "$@"

lint: $(GOLANGCI)
	"$(GOLANGCI)" config verify
	"$(GOLANGCI)" run ./...

fmt: $(GOLANGCI)
	"$(GOLANGCI)" fmt ./...

test-fast:
	$(GO) test -short ./...

check: build vet lint test-fast

tidy-check:
	$(GO) mod tidy -diff

# Committed tables are what their generators write today.
generate-check:
	GO="$(GO)" sh scripts/check-generate.sh

# The packages compile where we do not test.
cross:
	@set -e; for target in $(CROSS); do \
		echo "build $$target"; \
		GOOS="$${target%/*}" GOARCH="$${target#*/}" $(GO) build ./... ; \
	done

tools:
	sh scripts/install-test-tools.sh

test-race:
	BENCHSTAT_HTTP_KILLS=$(KILLS) $(GO) test -race -count=1 -timeout $(TEST_TIMEOUT) ./...
	$(GO) test -race -count=1 -tags portable ./internal/engine ./internal/driver

fuzz:
	GO="$(GO)" sh scripts/fuzz.sh $(FUZZTIME)

# The order is: what installs, then what is quick to fail, then what takes long.
test:
	$(MAKE) --no-print-directory tools
	$(MAKE) --no-print-directory build vet lint tidy-check generate-check cross
	$(MAKE) --no-print-directory test-race
	$(MAKE) --no-print-directory fuzz

test-long:
	$(MAKE) --no-print-directory tools
	MAKE="$(MAKE)" sh scripts/test-long.sh docs/test-long.txt

# What a request costs us and others, in the page that says so. It takes hours; BENCH narrows or shortens it, for instance
# BENCH="-rounds 3 -seconds 5 -only ^keep".
bench-engine:
	$(MAKE) --no-print-directory tools
	$(GO) run ./internal/enginebench -o docs/engine-speed.md $(BENCH)

bench-schedule:
	$(GO) run ./internal/schedulebench -o docs/open-loop.md $(BENCH)

# The fast tests again and again: a test that fails one time in a hundred is
# found here and not by a contributor.
repeat:
	$(GO) test -short -count=50 -timeout $(TEST_TIMEOUT) ./...

clean:
	rm -rf -- "$(BIN)" benchstat-http
