#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without renameat2, openat2, statx or O_TMPFILE, or with a filter that forbids them, files are replaced all the
# same, and links and failing commands are refused all the same.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
: "${HF_TEST_CHILD:?}"
"$HF_TEST_CHILD" deny openat2 -- true 2>/dev/null || skip 'filters are not allowed here'

mkdir dir
ln -s dir way
ln -s f link
for denied in renameat2 openat2 statx O_TMPFILE openat2=EPERM statx=EPERM renameat2,openat2,statx,O_TMPFILE; do
  on() { "$HF_TEST_CHILD" deny "$denied" -- "$HOLDFAST" "$@"; }
  printf old >f
  chmod 0640 f
  expect_code 65 on write f -- false
  expect_file f old
  expect_code 0 on write f --backup 1 -- printf new
  expect_file f new
  expect_mode f 640
  expect_code 0 on update f -- tr a-z A-Z
  expect_file f NEW
  expect_code 0 on write dir/fresh --mode 600 -- printf x
  expect_mode dir/fresh 600
  expect_code 75 on write dir/fresh --if-hash absent -- printf y
  expect_code 77 on write way/fresh -- printf y
  expect_code 77 on write link -- printf y
  expect_code 0 on write f --in-place -- printf longer_than_before
  expect_file f longer_than_before
  [ "$(cat f.bak-*)" = old ] || fail "$denied: the backup is '$(cat f.bak-*)'"
  rm f.bak-* .f.hold .f.lock dir/fresh
  expect_only dir f link way
  [ -z "$(ls -A dir)" ] || fail "$denied: left in dir: $(ls -A dir)"
done
