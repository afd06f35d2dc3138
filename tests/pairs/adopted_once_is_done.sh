#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A `once` whose supervisor was killed, adopted, counts as what its command came to: exit 0 is done, anything else is not.
. "$(dirname -- "$0")/../lib/step.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
make_gate
# adopted KEY CODE: orphaned, adopted, and ended with CODE.
adopted() {
  "$HOLDFAST" once "$1" -- ./gated 2>/dev/null &
  wait_up
  kill -s KILL "$(cat boss)"
  wait $! || :
  "$HOLDFAST" wait "once:$1" --until orphaned >/dev/null || fail 'no orphan'
  "$HOLDFAST" adopt "once:$1" >/dev/null 2>&1 || skip 'nobody can adopt it here'
  if [ "$("$HOLDFAST" show "once:$1" --json | jq -r .containment)" != cgroup ]; then
    open_gate "$2"
    skip 'no control groups here: nobody can tell that the tree of an adopted run has ended'
  fi
  open_gate "$2"
  "$HOLDFAST" wait "once:$1" >/dev/null 2>&1 || :
}
adopted good 0
expect_code 0 "$HOLDFAST" once good --json -- ./gated
expect_json .decision skipped
expect_runs 1
adopted bad 3
expect_code 0 "$HOLDFAST" once bad --json -- sh -c 'echo ran >>ran'
expect_json .decision ran
expect_runs 3
