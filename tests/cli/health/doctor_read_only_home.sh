#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A home that cannot be written, on a read-only file system or for want of rights, is a hazard, before and after it is
# made.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
mkdir small
mount -t tmpfs none small 2>/dev/null || skip 'mounting a tmpfs is not allowed here'
trap 'umount small; remove_scratch' EXIT
HOLDFAST_HOME=$PWD/small/home
writing() { json_field '.findings[] | select(.check == "writing") | .verdict'; }
expect_code 0 "$HOLDFAST" doctor --json
[ "$(writing)" = good ] || fail "a home that can be made: $(writing)"
"$HOLDFAST" doctor --init >/dev/null
for _ in with without; do
  mount -o remount,ro small
  expect_code 66 "$HOLDFAST" doctor --json
  [ "$(writing)" = hazard ] || fail "read-only: $(writing)"
  expect_code 66 "$HOLDFAST" doctor
  expect_stdout_contains 'Read-only file system'
  mount -o remount,rw small
  rm -rf small/home
done

# What needs to write there says that the system does not let it, with a code of its page.
token=$("$HOLDFAST" acquire x --owner none --ttl 1h)
mount -o remount,ro small
for words in 'gc --grace 0' "check x --token $token"; do
  # shellcheck disable=SC2086 # several words
  expect_code 71 "$HOLDFAST" $words
  "$HOLDFAST" "${words%% *}" --help | grep -q '^ *71 ' || fail "the page of ${words%% *} has no 71"
done
