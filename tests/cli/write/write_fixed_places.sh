#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On a read-only file system, in an immutable or append-only directory, and over an immutable or append-only
# file: an answer that names it, and nothing changes.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can do this'
mkdir disk dir
trap 'chattr -R -ia f dir 2>/dev/null || :; umount disk 2>/dev/null || :; remove_scratch' EXIT

printf old >f
touch dir/probe
chattr +i dir/probe 2>/dev/null || skip 'no immutable files on this file system'
chattr -i dir/probe
rm dir/probe
for flag in i a; do
  chattr "+$flag" f
  for words in '' --in-place '--break-hardlinks'; do
    # shellcheck disable=SC2086 # words
    expect_code 77 write f --json $words -- sh -c 'touch was_run; printf new'
    expect_cause "$(case $flag in i) echo immutable ;; a) echo append-only ;; esac)"
  done
  chattr "-$flag" f
  expect_file f old

  printf old >dir/g
  chattr "+$flag" dir
  code=0
  write dir/g --json -- printf new >"$stdout" 2>"$stderr" || code=$?
  [ "$code" -ne 0 ] || fail "+$flag of the directory: it says that it worked"
  expect_file dir/g old
  [ "$(ls -A dir)" = g ] || fail "+$flag of the directory: left $(ls -A dir)"
  [ "$flag" = a ] || expect_cause immutable
  chattr "-$flag" dir
  rm -f dir/* dir/.hf-*
done
[ ! -e was_run ] || fail 'the command was run although it could not be used'
expect_only dir disk f
mount -t tmpfs -o size=64k,mode=755 none disk 2>/dev/null || skip 'the rest: mounting a tmpfs is not allowed here'
printf old >disk/f
mount -o remount,ro disk
for words in '' --in-place; do
  # shellcheck disable=SC2086 # words
  expect_code 71 write disk/f $words -- printf new
  expect_stderr_contains 'Read-only file system'
done
expect_code 71 update disk/f -- printf new
expect_file disk/f old
[ "$(ls -A disk)" = f ] || fail "left: $(ls -A disk)"
