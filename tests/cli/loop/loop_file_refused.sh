#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The text of an item never becomes shell: a placeholder in a line for the shell, or in the text of a program, is 78, and
# nothing is asked or run. The budget of time begins nothing once it is used up.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

items a b
for run in '"touch ran-{id}"' '["sh", "-c", "touch ran-{id}"]' '["env", "bash", "-lc", "touch ran-{id}"]' \
  '["python3", "-c", "print({id})"]' '["perl", "-e", "{id}"]' '["python3.11", "-c{id}"]' '["env", "-S", "sh -c {id}"]' '["node", "--eval={id}"]' '["su", "-c", "{id}"]'; do
  for key in run verify on_success notify; do
    printf '[loop]\nsource = "touch asked; cat items"\n' >fix.toml
    [ "$key" = run ] || echo 'run = ["true"]' >>fix.toml
    echo "$key = $run" >>fix.toml
    expect_code 78 "$HOLDFAST" loop fix.toml --once
    expect_stderr_contains 'fix.toml:'
  done
done
[ ! -e asked ] || fail 'the source was asked'
[ "$(echo ran*)" = 'ran*' ] || fail 'something ran'

make_world
# Longer than the budget, however fast the machine is.
echo 'sleep 0.01' >>agent
loop_file 'verify_every = "1m"' '[loop.budget]' 'time = "1ms"'
sed -i 's/^concurrency.*/concurrency = 1/' fix.toml
expect_code 0 "$HOLDFAST" loop fix.toml --once --json
expect_json .budget time
expect_item a 'done'
expect_item b waiting
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_times 0 'run b'
