#!/bin/sh
# Fails when `go generate` would change a committed file.
#
# The generators run in a copy, so that a check never edits the checkout.
set -eu

go="${GO:-go}"

if ! grep -rq --include='*.go' '^//go:generate ' .; then
	echo "check-generate: no generated files"
	exit 0
fi

copy="$(mktemp -d "${TMPDIR:-/tmp}/benchstat-http-generate.XXXXXX")"
trap 'rm -rf -- "$copy"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

tar -cf - --exclude=./.git --exclude=./bin . | tar -xf - -C "$copy"
(cd -- "$copy" && "$go" generate ./...)
if ! diff -r -x .git -x bin . "$copy"; then
	echo "check-generate: generated files are stale: run $go generate ./... and commit" >&2
	exit 1
fi
