#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A mount inside of a session is not entered, and an immutable file is a warning; the sweep goes on.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

mkdir precious
echo gold >precious/file
ended mounted
ended plain
mkdir "$sessions/mounted/mnt"
unshare -m true 2>/dev/null || skip 'no mount namespace can be made'
export HOLDFAST precious="$PWD/precious" sessions
unshare -m sh -c 'mount --bind "$precious" "$sessions/mounted/mnt" && exec "$HOLDFAST" gc --grace 0 --trash-for 0' \
  >"$stdout" 2>"$stderr" || fail "exit code $?"
expect_stdout_contains 'removed mounted'
expect_stderr_contains 'it is in the trash: .purging-mounted'
! grep -qF '\x0a' "$stderr" || fail 'a line break is told as \x0a'
[ "$(cat precious/file)" = gold ] || fail 'the mount was entered'
[ ! -e "$sessions/plain" ] || fail 'the sweep did not go on'
expect_code 0 "$HOLDFAST" trash purge --all
[ -z "$(ls -A "$sessions/.holdfast-trash")" ] || fail 'what was mounted over stays'

ended stuck
ended free
echo x >"$sessions/stuck/file"
if chattr +i "$sessions/stuck/file" 2>/dev/null; then
  expect_code 0 gc --trash-for 0
  chattr -i "$sessions"/.holdfast-trash/.purging-stuck.*/file
  expect_stderr_contains 'eperm'
  expect_stdout_contains 'removed free'
  expect_code 0 "$HOLDFAST" trash purge --all
else
  skip 'immutable files: chattr +i does not work here (mounts were tested)'
fi
