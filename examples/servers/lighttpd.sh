#!/bin/sh
# lighttpd on 127.0.0.1:PORT, serving WWW-DIRECTORY, as root or as anybody.
set -eu
here="$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)"
. "$here/common.sh"

command -v lighttpd >/dev/null 2>&1 || die 'lighttpd is not installed'
prepare "$here/lighttpd.conf"
if [ "$(id -u)" -eq 0 ]; then
	printf 'server.username = "%s"\nserver.groupname = "%s"\n' "$account" "$group" >>"$dir/server.conf"
fi
# lighttpd counts workers beside the parent: 0 is one process that does the work.
if [ "$workers" -gt 1 ]; then
	printf 'server.max-worker = %s\n' "$workers" >>"$dir/server.conf"
fi
serve lighttpd -D -f "$dir/server.conf"
