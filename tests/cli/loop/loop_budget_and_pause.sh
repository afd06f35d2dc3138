#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Budgets and the pause begin nothing new and let what is under way come to its end; concurrency and priority hold.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
loop_file 'priority = "p"' '[loop.budget]' 'items = 3'
sed -i 's/^concurrency.*/concurrency = 1/' fix.toml
printf '{"id":"low","p":1}\n{"id":"high","p":9}\n{"id":"mid","p":5}\n{"id":"none"}\n' >items
expect_code 0 "$HOLDFAST" loop pause fix.toml --reason 'the forge is being moved'
expect_code 75 "$HOLDFAST" loop fix.toml --once
expect_stderr_contains 'the forge is being moved'
[ ! -s story ] || fail 'a paused loop began something'
expect_code 0 "$HOLDFAST" loop resume fix.toml --json
[ "$(jq .was_paused <"$stdout")" = true ] || fail 'was_paused'
expect_code 0 "$HOLDFAST" loop fix.toml --once --json
[ "$(jq -r .budget <"$stdout")" = items ] || fail 'the budget'
[ "$(grep '^run' story | tr '\n' ' ')" = 'run high run mid run low ' ] || fail "the order: $(cat story)"
expect_item none waiting
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_times 0 'run none'
# Another day: the budget begins anew. (The day is the log's; the clock is not touched.)
[ "$("$HOLDFAST" loop status fix.toml --json 2>/dev/null | jq .day.begun)" -eq 3 ] || fail 'the day'
# failures: the first failure uses it up.
loop_file 'name = "sick"' 'attempts = 5' 'backoff = ["0s"]' '[loop.budget]' 'failures = 1'
items bad
touch sick.bad
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_times 1 'run bad'
# A pause whose file cannot be understood is a pause.
echo garbage >"$HOLDFAST_HOME/loops/sick/paused"
expect_code 75 "$HOLDFAST" loop fix.toml --once
