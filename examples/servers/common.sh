# Sourced by nginx.sh, lighttpd.sh and apache2.sh: a private temporary directory
# for everything a server writes, and a parent that stops with its server.
#
# POSIX sh. Arguments of every script: PORT WWW-DIRECTORY [WORKERS].

# Servers live in sbin, which is not on every user's PATH.
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
export PATH

port="${1:?usage: $0 PORT WWW-DIRECTORY [WORKERS]}"
www="${2:?usage: $0 PORT WWW-DIRECTORY [WORKERS]}"
workers="${3:-1}"

child=''
stopping=no
dir=''

# A server started by root drops to nobody, who must be able to reach the pages:
# they are copied, and TMPDIR, which may be private to root, is not used.
if [ "$(id -u)" -eq 0 ]; then
	base=/tmp
	account=nobody
	group="$(id -gn nobody)"
else
	base="${TMPDIR:-/tmp}"
	account="$(id -un 2>/dev/null || id -u)"
	group="$(id -gn 2>/dev/null || id -g)"
fi

die() {
	printf '%s: %s\n' "${0##*/}" "$1" >&2
	exit 1
}

cleanup() {
	[ -z "$dir" ] || rm -rf -- "$dir"
}

stop() {
	stopping=yes
	[ -z "$child" ] || kill -TERM "$child" 2>/dev/null || :
}

trap cleanup EXIT
trap stop HUP INT TERM

# prepare makes the directory and fills the template CONF into $dir/server.conf.
# The placeholders of a template are @PORT@ @DIR@ @WORKERS@ @ACCOUNT@ @GROUP@
# and @MODULES@.
prepare() {
	dir="$(mktemp -d "$base/benchstat-http-server.XXXXXX")"
	mkdir -- "$dir/tmp"
	cp -R -- "$www" "$dir/www"
	chmod -R a+rX -- "$dir/www"
	chmod 0755 -- "$dir"
	chmod 0700 -- "$dir/tmp"
	[ "$(id -u)" -ne 0 ] || chown -- "$account:$group" "$dir/tmp"
	sed -e "s|@PORT@|$port|g" -e "s|@DIR@|$dir|g" -e "s|@WORKERS@|$workers|g" \
		-e "s|@ACCOUNT@|$account|g" -e "s|@GROUP@|$group|g" -e "s|@MODULES@|${modules:-}|g" \
		"$1" >"$dir/server.conf"
}

# serve runs the server given as arguments in its foreground mode, forwards the
# signal that stops us, and ends when the server has ended, with its status.
serve() {
	[ "$stopping" = no ] || exit 0
	"$@" &
	child=$!
	# The signal may have come between the check and the start.
	[ "$stopping" = no ] || stop
	status=0
	while kill -0 "$child" 2>/dev/null; do
		wait "$child" && status=0 || status=$?
	done
	[ "$stopping" = no ] || status=0
	if [ "$status" -ne 0 ] && [ -s "$dir/tmp/error.log" ]; then
		cat -- "$dir/tmp/error.log" >&2
	fi
	exit "$status"
}
