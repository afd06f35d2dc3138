#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where the user may not read the old file or change the directory, the code is 71, the words say why, and
# everything stays.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can become another user'
command -v setpriv >/dev/null || skip 'setpriv(1) is not installed'

as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups env HOLDFAST_HOME="$scratch/nobody" "$HOLDFAST" "$@"; }
chmod 0755 "$scratch"
mkdir ../nobody dir closed
chmod 0700 ../nobody
printf old >dir/f
printf secret >dir/unreadable
chmod 0200 dir/unreadable
chown -R 65534:65534 ../nobody dir
denied() {
  expect_code 71 as_nobody "$@"
  expect_stderr_contains 'Permission denied'
}
denied write dir/unreadable -- printf new
denied update dir/unreadable -- printf new
chmod 0555 dir
denied write dir/f -- printf new
denied write dir/fresh -- printf new
denied update dir/f -- printf new
denied write closed/f -- printf new
chmod 0700 closed
denied write closed/f -- printf new
printf content >root_only
chmod 0600 root_only
chmod 0755 dir
denied write dir/f --from root_only
expect_file dir/f old
expect_file dir/unreadable secret
[ "$(ls -A dir)" = "$(printf 'f\nunreadable')" ] || fail "$(ls -A dir)"
# A sticky directory: another user's file cannot be displaced there.
chown 0:0 dir
chmod 1777 dir
chown 4711 dir/f
expect_code 77 as_nobody write dir/f -- printf new
expect_file dir/f old
