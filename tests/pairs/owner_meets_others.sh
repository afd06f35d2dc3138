#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --owner beside others: an adopter goes on watching the owner, and one that died meanwhile ends the run; `resume` refuses an
# owner that is gone; locks and slots are free when the tree has ended; a run inside another, bound to a process of it,
# ends alone; an owner that ends while the name is waited for means that nothing starts.
# label: system
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

owner() {
  sleep 600 &
  owner=$!
}
trap 'kill -s KILL "$owner" 2>/dev/null || :; remove_scratch' EXIT

# Locks.
owner
expect_code 0 "$HOLDFAST" run -d --name locked --lock deploy --slots agents=1 --owner "$owner" -- sleep 600
expect_code 75 "$HOLDFAST" lock -n deploy -- true
kill -s KILL "$owner"
expect_code 0 "$HOLDFAST" lock -w 60s deploy -- "$HOLDFAST" lock -w 60s --slots 1 agents -- true
wait_for_end locked

# Nested.
cat >inner <<'SH'
#!/bin/sh
sleep 600 &
owner=$!
"$HOLDFAST" run --owner "$owner" -- sh -c 'kill -s KILL "$1"; exec sleep 600' inner "$owner"
echo "$?" >code
SH
chmod +x inner
expect_code 0 "$HOLDFAST" run --name outer -- ./inner
[ "$(cat code)" -eq 143 ] || fail "the inner one ended with $(cat code)"
expect_record outer .reason exited

# Waiting for the name.
"$HOLDFAST" run -d --name busy -- sleep 600 >/dev/null
owner
"$HOLDFAST" run --name busy --if-busy wait --wait 60s --owner "$owner" -- touch second 2>said &
waiting=$!
tries=0
until [ "$("$HOLDFAST" locks session:busy --json | jq '.waiters | length')" -eq 1 ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || fail 'it does not wait'
  sleep 0.1
done
kill -s KILL "$owner"
wait "$owner" 2>/dev/null || :
"$HOLDFAST" stop busy >/dev/null
code=0
wait "$waiting" || code=$?
[ "$code" -eq 75 ] || fail "exit code $code: $(cat said)"
expect_record busy .reason owner-gone
[ ! -e second ] || fail 'it was started'

# Resume.
owner
expect_code 0 "$HOLDFAST" run -d --name again --owner "$owner" -- sleep 600
kill -s KILL "$owner"
wait "$owner" 2>/dev/null || :
wait_for_end again
expect_code 66 "$HOLDFAST" resume again
expect_record again .reason owner-gone

# Adoption.
owner
orphan one --owner "$owner" -- sleep 600
"$HOLDFAST" adopt one >/dev/null 2>&1 || { "$HOLDFAST" stop one --grace 0 >/dev/null 2>&1; skip 'nobody can adopt it here'; }
expect_record one .state running
kill -s KILL "$owner"
wait_for_end one
expect_record one .reason owner-gone
expect_record one .state killed
owner
orphan two --owner "$owner" -- sleep 600
kill -s KILL "$owner"
wait "$owner" 2>/dev/null || :
"$HOLDFAST" adopt two >/dev/null 2>&1 || :
wait_for_end two
expect_record two .reason owner-gone
