#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `assume_gone_after` where it shares state with others: two loops over one file give a run up once and start the next
# attempt once; a lock of the run stays with a process that hid from everybody else, so nothing runs beside it under that
# lock; and a person's `stop --assume-gone` in the meantime is the one decision there is.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/loop.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
without_groups
make_world

# The supervisor and the command are killed. What is left hides: no run id, no parent, no session; it has the lock.
script agent <<'X'
echo "run $1" >>story
if [ ! -e "killed.$1" ]; then
  : >"killed.$1"
  setsid env -i sh -c 'echo $$ >hidden; read -r _ <go' &
  until [ -s hidden ]; do :; done
  kill -s KILL "$PPID"
  kill -s KILL $$
fi
echo yes >"merged.$1"
X
mkfifo go
loops=
# shellcheck disable=SC2086  # numbers
trap '[ -z "$loops" ] || kill $loops 2>/dev/null || :; kill -s KILL $(cat "$scratch/work/hidden" 2>/dev/null) 2>/dev/null || :; remove_scratch' EXIT
loop_file 'every = "1s"' 'assume_gone_after = "1s"' 'lock = ["L"]' 'backoff = "0s"' 'attempts = 3'
sed -i 's/^concurrency.*/concurrency = 1/' fix.toml
items a
"$HOLDFAST" loop fix.toml --no-wait || fail 'the first pass'
"$HOLDFAST" wait fix-a --until orphaned --timeout 20 || fail 'fix-a is no orphan'

# until_true N CMD…: it becomes so, or fails.
until_true() {
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ "$tries" -lt 400 ] || fail "never: $*: $(cat "$scratch"/loop.*)"
    timeout 0.05 tail -f /dev/null || :
  done
}
given_up() { [ "$("$HOLDFAST" journal query --type session.stopping --json | grep -c assumed-gone)" -eq "$1" ]; }
start_loops() {
  loops=
  for n in "$@"; do
    "$HOLDFAST" loop fix.toml >"$scratch/loop.$n" 2>&1 &
    loops="$loops $!"
  done
}
end_loops() {
  for one in $loops; do kill "$one" 2>/dev/null || :; done
  for one in $loops; do wait "$one" 2>/dev/null || :; done
  loops=
}
start_loops 1 2
until_true given_up 1
# The next attempt waits for the lock, which the hidden process has.
expect_code 75 "$HOLDFAST" lock L -n -- true
expect_times 1 'run a'
echo go >go
merged() { [ -e merged.a ] && [ "$(item a .state)" = 'done' ]; }
until_true merged
end_loops
expect_times 2 'run a'
given_up 1 || fail 'it was given up more than once'

# A person is first: the loop finds a run that is over, and decides nothing.
rm -f hidden
items a b
"$HOLDFAST" loop fix.toml --no-wait || fail 'the pass for b'
"$HOLDFAST" wait fix-b --until orphaned --timeout 20 || fail 'fix-b is no orphan'
expect_code 0 "$HOLDFAST" stop fix-b --assume-gone --reason 'I looked'
echo go >go
start_loops 3
merged_b() { [ "$(item b .state)" = 'done' ]; }
until_true merged_b
end_loops
expect_times 2 'run b'
given_up 2 || fail 'the loop decided what was decided already'
! "$HOLDFAST" journal query --type session.stopping --json | grep -q 'assume_gone_after.*fix-b' || fail 'by the loop'
