#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A file of another user is refused; with --foreign-owner it stays his, or the answer says that this cannot be.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can become another user'
command -v setpriv >/dev/null || skip 'setpriv(1) is not installed'

as_root() { word=$1 && shift && "$HOLDFAST" "$word" --trust-dir "$@"; }
as_nobody() {
  word=$1
  shift
  setpriv --reuid 65534 --regid 65534 --clear-groups env HOLDFAST_HOME="$scratch/nobody" "$HOLDFAST" "$word" --trust-dir "$@"
}
chmod 0755 "$scratch"
chmod 0777 .
mkdir ../nobody
chown 65534:65534 ../nobody
chmod 0700 ../nobody
printf old >f
chmod 0666 f
chown 4711:4712 f
for who in as_root as_nobody; do
  expect_code 77 "$who" write f --json -- printf new
  expect_cause foreign-owner
  expect_code 77 "$who" update f --json -- printf new
  expect_cause foreign-owner
  expect_file f old
done
expect_code 77 as_nobody write f --json --foreign-owner -- printf new
expect_cause meta-not-kept
expect_file f old
expect_only f
expect_code 0 as_root write f --foreign-owner -- printf new
[ "$(stat -c '%u:%g %a' f)" = '4711:4712 666' ] || fail "$(stat -c '%u:%g %a' f)"
expect_code 0 as_nobody write f --foreign-owner --meta pin --mode 600 -- printf mine
[ "$(stat -c '%u:%g %a' f)" = '65534:65534 600' ] || fail "$(stat -c '%u:%g %a' f)"
# A group that this user is not in cannot be kept, and is not dropped silently.
chown 65534:4712 f
expect_code 77 as_nobody write f --json -- printf new
expect_cause meta-not-kept
expect_file f mine
