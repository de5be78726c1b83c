#!/bin/sh
# Fuzzes every fuzz target of the module, one after the other.
#
# usage: fuzz.sh TIME, for instance fuzz.sh 5s
# The targets are asked of the test binaries, so that a new one cannot be
# forgotten. The first failing target ends the run; its input is in testdata/fuzz.
set -eu

time="${1:?usage: $0 TIME}"
go="${GO:-go}"

packages="$("$go" list ./...)"
count=0
for package in $packages; do
	# In two steps, so that a package that does not compile ends the run.
	listed="$("$go" test -run '^$' -list '^Fuzz' "$package")"
	names="$(printf '%s\n' "$listed" | grep '^Fuzz' || :)"
	for name in $names; do
		echo "fuzz $package $name for $time"
		"$go" test -run '^$' -fuzz "^$name\$" -fuzztime "$time" -fuzzminimizetime 10x "$package"
		count=$((count + 1))
	done
done

if [ "$count" -eq 0 ]; then
	echo "fuzz: found no fuzz target, which cannot be right" >&2
	exit 1
fi
echo "fuzz: $count targets, no failure"
