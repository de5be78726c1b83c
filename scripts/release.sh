#!/bin/sh
# Cross-builds the program: release.sh TAG DIRECTORY
#
# Built with -trimpath and without cgo, so that the same commit and the same Go
# give the same bytes anywhere; checksums are written beside the binaries. The
# tag only names the files: the program reads its version from its build
# information, so the version control state is stamped here.
set -eu

tag="${1:?usage: $0 TAG DIRECTORY}"
out="${2:?usage: $0 TAG DIRECTORY}"
go="${GO:-go}"

mkdir -p -- "$out"
for target in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 freebsd/amd64 windows/amd64; do
	os="${target%/*}"
	arch="${target#*/}"
	name="benchstat-http-$tag-$os-$arch"
	[ "$os" != windows ] || name="$name.exe"
	echo "build $name"
	CGO_ENABLED=0 GOOS="$os" GOARCH="$arch" GOFLAGS='' \
		"$go" build -trimpath -buildvcs=true -ldflags='-s -w' -o "$out/$name" ./cmd/benchstat-http
done
(cd -- "$out" && sha256sum benchstat-http-* >SHA256SUMS)
