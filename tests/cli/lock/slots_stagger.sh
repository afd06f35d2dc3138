#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --stagger D: two starts of one name are at least D apart, whichever slots they get; who cannot wait so long is busy and
# reserves nothing; a damaged record starts nothing; other names do not wait.
. "$(dirname -- "$0")/../../lib/lib.sh"

now() { date +%s%3N; }
stamp='date +%s%3N >>starts'
before=$(now)
for _ in 1 2 3; do
  "$HOLDFAST" lock --slots 3 --stagger 400ms -w 60s gpu -- sh -c "$stamp" &
done
wait
[ "$(wc -l <starts)" -eq 3 ] || fail 'not each started'
last=$(sort -n starts | tail -n 1)
[ $((last - before)) -ge 800 ] || fail "three starts within $((last - before)) ms"

expect_code 0 "$HOLDFAST" lock --slots 3 --stagger 1h slow -- true
expect_code 75 "$HOLDFAST" lock -n --slots 3 --stagger 1h slow -- touch second
expect_stderr_contains '--stagger keeps the next start apart'
expect_code 75 "$HOLDFAST" lock -w 100ms --slots 3 --stagger 1h slow -- touch second
expect_code 75 "$HOLDFAST" lock --budget 1s --slots 3 --stagger 1h slow -- touch second
expect_code 75 "$HOLDFAST" run --slots slow=3 --stagger 1h --wait 100ms -- touch second
expect_code 75 "$HOLDFAST" acquire -n --slots 3 --stagger 1h slow --owner $$
# The slots are free meanwhile, and what did not start has reserved nothing.
expect_code 0 "$HOLDFAST" locks slow/1of3 --json
expect_json .state free
[ "$(jq '.names | length' "$HOLDFAST_HOME/locks/.starts")" -le 2 ] || fail 'a start that was refused is reserved'
expect_code 0 "$HOLDFAST" lock -n --slots 3 --stagger 1h other -- true
expect_code 0 "$HOLDFAST" lock -n --slots 3 slow -- true

# After a reboot the wall clock decides. (A time that is longer than any machine can have been up.)
starts=$HOLDFAST_HOME/locks/.starts
expect_code 0 "$HOLDFAST" lock --slots 3 --stagger 3650d later -- true
jq -c '(.names[] | select(.name == "later") | .next.boot) |= "00112233445566778899aabbccddeeff" | del(.crc32c)' "$starts" >changed
cat changed >"$starts"
expect_code 75 "$HOLDFAST" lock -n --slots 3 --stagger 3650d later -- touch second
expect_code 0 "$HOLDFAST" lock -n --slots 3 --stagger 1h third -- true

# Damage is not "nobody waits".
printf '{"v":1' >"$starts"
expect_code 65 "$HOLDFAST" lock -n --slots 3 --stagger 1h slow -- touch second
[ "$(cat "$starts")" = '{"v":1' ] || fail 'damage was written over'
expect_code 0 "$HOLDFAST" lock -n --slots 3 slow -- true
expect_code 64 "$HOLDFAST" lock --stagger 1s slow -- touch second
[ ! -e second ] || fail 'it started too soon'
