#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A plan removes nothing; applying it does a subset of it, once, and not what has changed since.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

ended one
ended two
ended changed
expect_code 0 gc --plan --json
plan=$(json_field .plan_id)
expect_json .applied false
expect_reason removed one ended
[ -d "$sessions/one" ] || fail 'a plan removed something'
[ "$(stat -c %a "$HOLDFAST_HOME/gc/plan-$plan.json")" = 600 ] || fail 'the plan is not private'

# Somebody changes one, and another is made, and ended, which the plan does not know.
"$HOLDFAST" workspace set changed key=value >/dev/null || "$HOLDFAST" workspace end changed >/dev/null
ended late
expect_code 0 "$HOLDFAST" gc --apply "$plan" --json
expect_reason removed one ended
expect_reason removed two ended
[ -d "$sessions/late" ] || fail 'it did more than its plan'
[ "$(reason_of kept changed)" = changed ] || [ "$(reason_of removed changed)" = ended ] || fail 'the changed one'

expect_code 66 "$HOLDFAST" gc --apply "$plan"
expect_code 66 "$HOLDFAST" gc --apply nonsense
expect_code 64 "$HOLDFAST" gc --apply "$plan" --grace 1s
expect_code 64 "$HOLDFAST" gc --apply "$plan" --plan

# Of another boot it is outdated.
expect_code 0 gc --plan --json
plan=$(json_field .plan_id)
sed -i '1s/"boot":"[0-9a-f]*"/"boot":"00000000000000000000000000000001"/' "$HOLDFAST_HOME/gc/plan-$plan.json"
expect_code 77 "$HOLDFAST" gc --apply "$plan"
expect_stderr_contains 'booted since'
[ -d "$sessions/late" ] || fail 'an outdated plan was applied'

# Damaged, it is 65, and stays for a person to look at.
expect_code 0 gc --plan --json
plan=$(json_field .plan_id)
truncate -s -5 "$HOLDFAST_HOME/gc/plan-$plan.json"
expect_code 65 "$HOLDFAST" gc --apply "$plan"
