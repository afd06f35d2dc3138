#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A process that got the number of a dead owner does not keep its lock.
# label: system
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

unshare --map-root-user --pid --fork --mount-proc sh -c 'echo 100 >/proc/sys/kernel/ns_last_pid' 2>/dev/null ||
  skip 'no pid namespace with a settable last pid'
cat >"$scratch/inside.sh" <<'INSIDE'
sh -c '"$HOLDFAST" acquire x >/dev/null; exec sleep 1000' &
owner=$!
until [ "$("$HOLDFAST" locks x --json | jq .owner.pid)" = "$owner" ]; do :; done
for comm in /proc/[0-9]*/comm; do
  if [ "$(cat "$comm" 2>/dev/null)" = hf-keeper ]; then keeper=${comm#/proc/} keeper=${keeper%/comm}; fi
done
kill -s KILL "$keeper" "$owner"
wait "$owner" 2>/dev/null
tries=0
until [ "${stranger:-0}" -eq "$owner" ]; do
  echo $((owner - 1)) >/proc/sys/kernel/ns_last_pid
  sleep 1000 &
  stranger=$!
  tries=$((tries + 1))
  [ "$tries" -lt 50 ] || exit 20
done
"$HOLDFAST" acquire x -w 5s --owner $$ --json
INSIDE
code=0
unshare --map-root-user --pid --fork --mount-proc sh "$scratch/inside.sh" >"$stdout" 2>"$stderr" || code=$?
[ "$code" -ne 20 ] || skip 'the number could not be given out again'
[ "$code" -eq 0 ] || fail "exit code $code"
expect_json .cause dead
expect_json .evidence recycled
