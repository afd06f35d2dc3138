#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A holder is stopped past its lease, another takes the lock and writes; continued, the first one's late `write` is
# 77, the file is unchanged, and both are on record.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lock_command.inc"
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
mkfifo ready go
# shellcheck disable=SC2016 # for the inner shell
"$HOLDFAST" lock deploy --ttl 300ms --on-lost ignore -- sh -c '
  echo "$$ $PPID" >ready
  read -r _ <go
  "$HOLDFAST" write f --json -- printf late >late.json 2>late.err
  echo "$?" >late.code' &
holder=$!
read -r work shim <ready
until [ "$("$HOLDFAST" journal count --type lock.acquired)" = 1 ]; do :; done
stop_holder
kill -s STOP "$shim" "$work"
# Waits until the lease has run out, takes it, and its own write passes.
expect_code 0 "$HOLDFAST" lock deploy -w 60s --on-expired take -- "$HOLDFAST" write f --json -- printf taken
expect_file f taken
kill -s CONT "$work" "$shim" "$holder"
echo >go
wait "$holder" || :
[ "$(cat late.code)" = 77 ] || fail "the late write: $(cat late.code) $(cat late.err)"
cp late.json "$stdout"
expect_cause lock-lost
expect_file f taken
expect_code 0 "$HOLDFAST" journal count --type file.refused --where data.reason=lock-lost
expect_stdout_is 1
