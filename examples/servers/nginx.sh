#!/bin/sh
# nginx on 127.0.0.1:PORT, serving WWW-DIRECTORY, as root or as anybody.
set -eu
here="$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)"
. "$here/common.sh"

command -v nginx >/dev/null 2>&1 || die 'nginx is not installed'
prepare "$here/nginx.conf"
# nginx warns when an unprivileged configuration names a user.
[ "$(id -u)" -eq 0 ] || sed -i.orig -e '/^user /d' "$dir/server.conf"
# -e keeps nginx from opening the log path it was compiled with.
serve nginx -e stderr -p "$dir" -c "$dir/server.conf" -g 'daemon off;'
