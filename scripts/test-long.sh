#!/bin/sh
# The long suite, and a summary of it to commit: test-long.sh SUMMARY
#
# Every step runs even when an earlier one failed, because a night is too long
# to learn one thing; the exit status is 1 when any failed.
set -eu

summary="${1:?usage: $0 SUMMARY}"
make="${MAKE:-make}"
draft="$(mktemp "${TMPDIR:-/tmp}/benchstat-http-long.XXXXXX")"
trap 'rm -f -- "$draft"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

failed=0

step() {
	name="$1"
	shift
	began="$(date +%s)"
	if "$@"; then outcome=passed; else
		outcome=FAILED
		failed=1
	fi
	printf '%-24s %-7s %6d s\n' "$name" "$outcome" "$(($(date +%s) - began))" >>"$draft"
}

{
	printf 'date     %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
	printf 'machine  %s, %s processors\n' "$(uname -srm)" "$(getconf _NPROCESSORS_ONLN)"
	printf 'go       %s\n\n' "$("${GO:-go}" version)"
} >"$draft"

step 'build, vet, lint, tidy' "$make" --no-print-directory build vet lint tidy-check generate-check cross
step 'race, 200 kills' "$make" --no-print-directory test-race KILLS=200 TEST_TIMEOUT=4h
step 'fuzz, 60 s a target' "$make" --no-print-directory fuzz FUZZTIME=60s
step '50 fast runs' "$make" --no-print-directory repeat TEST_TIMEOUT=4h

cat -- "$draft"
cp -- "$draft" "$summary"
exit "$failed"
