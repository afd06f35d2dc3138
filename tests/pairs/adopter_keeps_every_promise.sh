#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A run that was adopted ends as one that was not: a verification that cannot tell is no "no", an end in time is no
# time-out, what was asked to end is ended, and `on-end` runs, also after `stop` of the orphan.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/process.inc"
. "$(dirname -- "$0")/../lib/step.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo go_a up
orphan a --verify 'exit 69' -- sh -c 'read -r _ <go_a'
need_group
expect_code 0 "$HOLDFAST" adopt a
echo >go_a
wait_for_end a
case $(record a .state) in
  unverified) expect_record a '.verified | tostring' null ;;
  lost) ;; # a kernel that does not say how it ended
  *) fail "a is $(record a .state)" ;;
esac

# An adopter that verifies hears `stop`.
mkfifo go_v verifying
orphan v --verify 'echo >verifying; sleep 600' -- sh -c 'read -r _ <go_v'
expect_code 0 "$HOLDFAST" adopt v
echo >go_v
if read -r _ <verifying; then expect_code 0 "$HOLDFAST" stop v --grace 0s; fi

# Its command had ended, in time; what it left behind lives past the deadline.
mkfifo go_b
orphan b --timeout 1h --grace 200ms -- sh -c 'trap "" TERM; sleep 600 & read -r _ <go_b'
echo >go_b
command=$(record b .command.pid)
while lives "$command"; do :; done
change "$HOLDFAST_HOME/sessions/b/session.json" '.deadline_boot_ns = 1'
expect_code 0 "$HOLDFAST" adopt b
wait_for_end b
expect_record b .state lost

# Asked to end, with a long grace; then the supervisor is killed.
expect_code 0 "$HOLDFAST" run --detach --name c --grace 1h --on-end 'echo c >ended_c' -- sh -c 'trap "" TERM; echo >up; while :; do sleep 600; done'
read -r _ <up
supervisor=$(record c .supervisor.pid)
expect_code 69 "$HOLDFAST" stop c --wait 0s
"$HOLDFAST" wait c --until stopping || fail 'it is not being ended'
kill -s KILL "$supervisor"
"$HOLDFAST" wait c --until orphaned
expect_code 0 "$HOLDFAST" adopt c
expect_code 0 "$HOLDFAST" stop c --grace 0s
wait_for_end c
[ "$(record c .asked.by)" != null ] || fail 'who asked is forgotten'
[ -e ended_c ] || fail 'on-end did not run'

orphan d --on-end 'echo "$HOLDFAST_STATE" >ended_d' -- sleep 600
expect_code 0 "$HOLDFAST" stop d
[ "$(cat ended_d)" = lost ] || fail 'on-end did not run after the stop of an orphan'

# A limit that cannot be watched any more is a reason not to adopt.
orphan e --idle-timeout 1h -- sh -c 'exec >/dev/null 2>&1 sleep 600'
expect_code 69 "$HOLDFAST" adopt e
expect_stderr_contains 'idle-timeout'
expect_code 0 "$HOLDFAST" stop e
