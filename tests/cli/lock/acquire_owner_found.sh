#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The owner of a lock is the nearest program above `acquire` that was executed: for a background worker the script, unless
# --owner names the worker; for `timeout` and `xargs` these, which end at once.
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_keepers

cat >script <<'END'
("$HOLDFAST" acquire script >token) &
wait $!
"$HOLDFAST" locks script --json >seen
END
sh script &
script=$!
wait "$script" || fail 'the worker did not acquire'
[ "$(jq -r '"\(.state) \(.owner.pid)"' seen)" = "held $script" ] || fail "not bound to the script: $(cat seen)"
expect_code 0 "$HOLDFAST" acquire script -n

mkfifo go up
(
  # The number of this subshell, as $BASHPID has it.
  read -r worker _ </proc/self/stat
  "$HOLDFAST" acquire worker --owner "$worker" >token && echo "$worker" >up && read -r _ <go
) &
read -r worker <up
expect_code 0 "$HOLDFAST" locks worker --json
expect_json .owner.pid "$worker"
echo >go
wait
expect_code 0 "$HOLDFAST" acquire worker -n

expect_code 0 timeout 60 "$HOLDFAST" acquire short
expect_code 0 "$HOLDFAST" acquire short -n
echo short2 >names
expect_code 0 xargs "$HOLDFAST" acquire <names
expect_code 0 "$HOLDFAST" acquire short2 -n
