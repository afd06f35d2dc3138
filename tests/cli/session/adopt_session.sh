#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An adopted session goes on: its log, its deadline, its verification, its end, and how its command ended.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

log() { cat "$HOLDFAST_HOME/sessions/$1/out.log"; }

expect_code 66 "$HOLDFAST" adopt nobody
expect_code 0 "$HOLDFAST" run --name over -- true
expect_code 66 "$HOLDFAST" adopt over
"$HOLDFAST" run --detach --name live -- sleep 600
expect_code 75 "$HOLDFAST" adopt live
expect_code 0 "$HOLDFAST" stop live

mkfifo go last
orphan a --verify 'echo verified >&2' -- sh -c 'echo one; read -r _ <go; echo two; read -r _ <last; echo three'
need_group
echo >go # it prints while nobody listens
expect_code 0 "$HOLDFAST" adopt a
expect_stdout_is a
expect_record a .state running
expect_record a .adopted true
expect_code 75 "$HOLDFAST" adopt a
expect_code 75 "$HOLDFAST" run --name a -- true
echo >last
code=0
"$HOLDFAST" wait a || code=$?
[ "$(log a)" = "one
two
three
verified" ] || [ "$code" -eq 69 ] || fail "its log: $(log a)"
case $(record a .state):$code in
  exited:0) expect_record a .exit_code 0 && expect_record a .verified true ;;
  lost:69) ;; # a kernel that does not say how it ended
  *) fail "$(record a .state), $code" ;;
esac
expect_group_gone

# A signal, another code, a deadline, something left behind. An adopter takes a second or two to see an end, so they
# all end at the same time.
mkfifo go_b go_e
orphan b -- sh -c 'read -r _ <go_b; exit 5'
expect_code 0 "$HOLDFAST" adopt b
orphan c -- sleep 600
expect_code 0 "$HOLDFAST" adopt c
orphan e -- sh -c 'setsid sleep 600 & read -r _ <go_e'
expect_code 0 "$HOLDFAST" adopt e
group_e=$orphan_group
# The deadline is the one of the start; what the command left behind is ended with it.
orphan d --timeout 3s --grace 200ms -- sh -c 'trap "" TERM; setsid sleep 600 & while :; do sleep 600; done'
expect_code 0 "$HOLDFAST" adopt d
group_d=$orphan_group
echo >go_b
echo >go_e
kill -s KILL "$(record c .command.pid)"
code=0
"$HOLDFAST" wait b || code=$?
case $code in 5 | 69) ;; *) fail "b: $code" ;; esac
code=0
"$HOLDFAST" wait c || code=$?
case $code in 137 | 69) ;; *) fail "c: $code" ;; esac
"$HOLDFAST" wait e || :
orphan_group=$group_e
expect_group_gone
expect_code 124 "$HOLDFAST" wait d
orphan_group=$group_d
expect_group_gone

# It can be asked to stop, killed and adopted again.
orphan f -- sleep 600
expect_code 0 "$HOLDFAST" adopt f
kill -s KILL "$(record f .supervisor.pid)"
"$HOLDFAST" wait f --until orphaned
expect_code 0 "$HOLDFAST" adopt f
expect_code 0 "$HOLDFAST" stop f
expect_record f .reason stopped
expect_group_gone
[ "$("$HOLDFAST" journal count --type session.adopted)" -ge 6 ] || fail 'not each adoption is on record'
