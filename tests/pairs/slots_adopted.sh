#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The supervisor of a run with a slot is killed: the slot stays with the tree; an adopter holds that very slot again, and
# gives it back at the end.
# label: system
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

"$HOLDFAST" acquire --slots 2 agents --owner $$ >token
orphan one --slots agents=2 -- sleep 600
expect_code 75 "$HOLDFAST" lock -n --slots 2 agents -- touch second
"$HOLDFAST" adopt one >/dev/null 2>&1 || skip 'nobody can adopt it here'
expect_code 0 "$HOLDFAST" release agents --slots 2 --token @token
expect_code 0 "$HOLDFAST" locks agents/2of2 --json
expect_json .state held
expect_json .holder.pid "$(record one .command.pid)"
expect_code 0 "$HOLDFAST" lock -n --slots 2 agents -- sh -c '[ "$HOLDFAST_LOCK" = agents/1of2 ]'
expect_code 0 "$HOLDFAST" stop one
expect_code 0 "$HOLDFAST" locks agents/2of2 --json
expect_json .state free
[ ! -e second ] || fail 'it ran beside the tree'
