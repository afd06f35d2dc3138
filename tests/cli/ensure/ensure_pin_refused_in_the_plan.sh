#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A file that cannot be opened to be pinned refuses the whole manifest before anything is made.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'needs root to become another user'
command -v setpriv >/dev/null || skip 'no setpriv'

mkdir dir
touch dir/closed
chmod 0000 dir/closed
chown -R 65534:65534 dir
cat >dir/manifest.toml <<'END'
[[path]]
path = "new"
type = "dir"
mode = "0755"

[[path]]
path = "closed"
type = "file"
mode = "0600"
pin = true
END
chmod 0711 "$scratch" "$scratch/work"
cp "$HOLDFAST" "$scratch/holdfast"
chmod 0755 "$scratch/holdfast"
mkdir "$scratch/other"
chown 65534:65534 "$scratch/other"
expect_code 71 setpriv --reuid 65534 --regid 65534 --clear-groups \
  env HOLDFAST_HOME="$scratch/other/home" "$scratch/holdfast" ensure dir/manifest.toml
[ ! -e dir/new ] || fail 'something was made although the plan was refused'
