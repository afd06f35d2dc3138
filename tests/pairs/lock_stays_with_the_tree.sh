#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The lock of a run stays with its tree when supervisor and command are both gone and a child works on: unattended, while
# `stop` waits for the child to go, and after `adopt`. An adopter that comes when another has the lock does not adopt.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo up
busy() { expect_code 75 "$HOLDFAST" lock -n "$1" -- touch "ran-$1"; }
# leaderless NAME [CHILD]: an orphan under the lock NAME whose command has ended; CHILD reads go_NAME, and is in its group.
leaderless() {
  mkfifo "go_$1" "end_$1"
  orphan "$1" --wait-descendants --lock "$1" -- \
    sh -c "(${2-}echo >up; read -r _ <go_$1) & read -r _ <end_$1"
  need_group
  read -r _ <up
  echo >"end_$1"
  leader=$(record "$1" .command.pid)
  until [ ! -e "/proc/$leader" ] || grep -q '^State:.Z' "/proc/$leader/status" 2>/dev/null; do :; done
}

leaderless a
busy a
expect_code 0 "$HOLDFAST" adopt a
busy a
echo >go_a
expect_code 0 "$HOLDFAST" lock -w 30s a -- true
wait_for_end a

leaderless b 'trap "" TERM; '
"$HOLDFAST" stop b --grace 1h --wait 1h >/dev/null 2>&1 &
stopper=$!
until [ "$("$HOLDFAST" journal count --type session.stopping)" -eq 1 ]; do :; done
busy b
echo >go_b
wait "$stopper" || fail "stop: $?"
expect_code 0 "$HOLDFAST" lock -n b -- true

# The child gave up its copy of the lock: then it is anybody's, and an adopter takes it again or does not adopt.
leaderless c 'exec python3 -c "import os; os.closerange(3, 1000); open(\"up\", \"w\").write(\"up\\n\"); open(\"go_c\").read()"; '
mkfifo inside out
"$HOLDFAST" lock c -- sh -c 'echo >inside; read -r _ <out' &
other=$!
read -r _ <inside
expect_code 69 "$HOLDFAST" adopt c
expect_stderr_contains "the lock 'c'"
echo >out
wait "$other"
expect_code 0 "$HOLDFAST" adopt c
busy c
echo >go_c
wait_for_end c
expect_record c .state lost
case $(record c .detail) in *"'c' was another's"*) ;; *) fail "detail: $(record c .detail)" ;; esac
[ "$("$HOLDFAST" journal count --type lock.lost)" -ge 1 ] || fail 'the loss is not in the journal'
for name in a b c; do [ ! -e "ran-$name" ] || fail "two holders of $name"; done
