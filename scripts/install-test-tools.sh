#!/bin/sh
# Installs the servers and load tools the full test suite measures with.
#
# Idempotent: with everything present it touches nothing and needs no network.
# As root on Debian it installs what is missing and starts no service: a
# temporary policy-rc.d refuses every start, and is removed (or the previous
# one put back) however the script ends. Anywhere else it prints the command to
# run and succeeds, because the tests skip visibly what they cannot find; under
# CI=true it fails instead, because there a skip would hide a missing check.
set -eu

# Servers live in sbin, which is not on every user's PATH.
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
export PATH

# One line per requirement: the program looked for, the package it comes from.
requirements='nginx nginx
lighttpd lighttpd
apache2 apache2
ab apache2-utils
wrk wrk
hey hey
siege siege
h2load nghttp2-client
nft nftables
Rscript r-base-core'

# Services these packages would start at the next boot.
services='nginx lighttpd apache2'

policy=/usr/sbin/policy-rc.d
saved=''
placed=no

missing_packages() {
	printf '%s\n' "$requirements" | while read -r program package; do
		command -v "$program" >/dev/null 2>&1 || printf '%s\n' "$package"
	done
}

forbid_starts() {
	if [ -e "$policy" ] || [ -L "$policy" ]; then
		saved="$policy.before-benchstat-http.$$"
		mv -- "$policy" "$saved"
	fi
	placed=yes
	printf '#!/bin/sh\nexit 101\n' >"$policy"
	chmod 0755 "$policy"
}

restore_policy() {
	[ "$placed" = yes ] || return 0
	placed=no
	rm -f -- "$policy"
	[ -z "$saved" ] || mv -- "$saved" "$policy"
}

missing="$(missing_packages)"
if [ -z "$missing" ]; then
	exit 0
fi
packages="$(printf '%s' "$missing" | tr '\n' ' ')"

if [ "$(id -u)" -ne 0 ] || [ ! -e /etc/debian_version ] || ! command -v apt-get >/dev/null 2>&1; then
	echo "install-test-tools: missing: $packages" >&2
	echo "install-test-tools: to run every test, run (on Debian or Ubuntu):" >&2
	echo "    sudo sh scripts/install-test-tools.sh" >&2
	echo "install-test-tools: which does, with service starts refused:" >&2
	echo "    apt-get update && apt-get install -y --no-install-recommends $packages" >&2
	if [ "${CI:-}" = true ]; then
		echo "install-test-tools: CI=true: a skipped test counts as a failure" >&2
		exit 1
	fi
	echo "install-test-tools: the tests that need them will be skipped" >&2
	exit 0
fi

trap restore_policy EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

export DEBIAN_FRONTEND=noninteractive
forbid_starts

echo "install-test-tools: installing $packages" >&2
apt-get -q -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 update </dev/null >&2
# Word splitting is wanted: one argument per package.
# shellcheck disable=SC2086
apt-get -q -y -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 \
	install --no-install-recommends $packages </dev/null >&2

# The tests start their own servers on free ports; nothing of ours should hold
# port 80 after a reboot. Only services installed just now are disabled.
for service in $services; do
	case " $packages " in
	*" $service "*) update-rc.d "$service" disable >/dev/null 2>&1 || true ;;
	esac
done

restore_policy

missing="$(missing_packages)"
if [ -n "$missing" ]; then
	echo "install-test-tools: still missing after installation: $(printf '%s' "$missing" | tr '\n' ' ')" >&2
	exit 1
fi
