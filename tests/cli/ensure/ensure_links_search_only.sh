#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The right to search the directories above is enough, as for any program: a link below one that may not be read (0711)
# is named if it is refused, and followed if that was asked for, on kernels with and without openat2.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can become another user'
command -v setpriv >/dev/null || skip 'setpriv(1) is not installed'
command -v strace >/dev/null || skip 'strace is not installed'

chmod 755 "$scratch" .
mkdir -p home/user/real/sub
chmod 711 home
ln -s real home/user/way
chown -R 4711:4711 home/user
mkdir -m 700 state
chown 4711:4711 state
as_user() { setpriv --reuid 4711 --regid 4711 --clear-groups env "HOLDFAST_HOME=$PWD/state/home" "HOME=$PWD/home/user" "$@"; }
as_user test -x "$HOLDFAST" || skip "another user cannot reach $HOLDFAST"
# old CMD…: on a kernel without openat2.
old() { as_user strace -f -qq -o /dev/null -e trace=openat2 -e inject=openat2:error=ENOSYS "$@"; }

old true 2>/dev/null || skip 'nothing can be traced here'

for kernel in as_user old; do
  rm -f home/user/real/sub/f
  expect_code 77 $kernel "$HOLDFAST" ensure --file home/user/way/sub/f --json
  expect_cause is-link
  expect_json .error.subject "$PWD/home/user/way"
  expect_code 77 $kernel "$HOLDFAST" write home/user/way/sub/f --json -- printf x
  expect_cause is-link
  expect_code 0 $kernel "$HOLDFAST" ensure --file home/user/way/sub/f --links follow
  [ -f home/user/real/sub/f ] || fail 'it was not made'
  expect_code 0 $kernel "$HOLDFAST" ensure --file home/user/real/sub/f --mode 0600 --pin
done
