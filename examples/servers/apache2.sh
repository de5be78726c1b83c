#!/bin/sh
# Apache httpd (event MPM) on 127.0.0.1:PORT, serving WWW-DIRECTORY, as root or
# as anybody. WORKERS is not used: the event MPM is sized in apache2.conf.
set -eu
here="$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)"
. "$here/common.sh"

httpd=''
for name in apache2 httpd; do
	if command -v "$name" >/dev/null 2>&1; then
		httpd="$name"
		break
	fi
done
[ -n "$httpd" ] || die 'Apache httpd is not installed (apache2 or httpd)'

modules=''
for candidate in /usr/lib/apache2/modules /usr/lib64/httpd/modules /usr/lib/httpd/modules /usr/libexec/apache2; do
	if [ -e "$candidate/mod_mpm_event.so" ]; then
		modules="$candidate"
		break
	fi
done
[ -n "$modules" ] || die 'mod_mpm_event.so not found in the usual module directories'

prepare "$here/apache2.conf"
serve "$httpd" -d "$dir" -f "$dir/server.conf" -DFOREGROUND
