#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A full or read-only home: the command is not started, 125. A log that fills the disk in the middle of a run: the
# command goes on, the loss is counted, and the end is on record all the same.
# label: system
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
mkdir small
mount -t tmpfs -o size=1m none small 2>/dev/null || skip 'mounting a tmpfs is not allowed here'
trap 'umount small; remove_scratch' EXIT
HOLDFAST_HOME=$PWD/small/home

expect_code 5 "$HOLDFAST" run --name fills -- sh -c 'head -c 3000000 /dev/zero; echo done >went-on; exit 5'
expect_stderr_contains "the log of 'fills' lacks "
[ -e went-on ] || fail 'the command did not go on'
[ "$(wc -c <"$stdout")" -eq 3000000 ] || fail 'what was printed did not arrive'
expect_record fills .state exited
expect_record fills .exit_code 5
expect_record fills .log_bytes 3000000
[ "$(record fills .log_lost)" -gt 0 ] || fail 'the loss is not counted'
expect_code 5 "$HOLDFAST" wait fills
expect_stderr_contains "the log of 'fills' lacks "
expect_code 0 "$HOLDFAST" logs fills
expect_stderr_contains "the log of 'fills' lacks "
[ ! -e "$HOLDFAST_HOME/sessions/fills/session.spare" ] || fail 'the room for the end is still taken'

rm "$HOLDFAST_HOME"/sessions/fills/out.log*
head -c 2000000 /dev/zero >small/fill 2>/dev/null || :
expect_code 125 "$HOLDFAST" run --name other -- touch ran
expect_stderr_contains 'No space left on device'
rm small/fill
mount -o remount,ro small
expect_code 125 "$HOLDFAST" run --name third -- touch ran
[ ! -e ran ] || fail 'it ran'
mount -o remount,rw small
expect_code 0 "$HOLDFAST" run --name other --log-max 8k -- sh -c 'i=0; while [ $i -lt 3000 ]; do echo "line $i"; i=$((i + 1)); done'
log=$HOLDFAST_HOME/sessions/other/out.log
for each in "$log" "$log.1"; do
  [ "$(stat -c %s "$each")" -le 8192 ] || fail 'the log is not bounded'
done
[ "$(tail -n 1 "$log")" = 'line 2999' ] || fail 'the end of the log is missing'
expect_record other .log_lost 0
