#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An identity of another pid or time namespace is "cannot tell" for alive and kill, and nobody is signalled.
# label: system
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

start sleep-forever
"$HOLDFAST" identify "$pid" >id
jq -c '.pidfs = 0' <id >old_id
in_pid_namespace='unshare --map-root-user --pid --fork --mount-proc'
in_time_namespace='unshare --map-root-user --time --boottime 86400 --fork'
$in_pid_namespace true 2>/dev/null || skip 'no pid namespaces here'
for command in alive kill; do
  # shellcheck disable=SC2086  # words
  expect_code 69 $in_pid_namespace "$HOLDFAST" "$command" @id --json
  expect_json .evidence other-pid-namespace
done
expect_lives "$pid"
# shellcheck disable=SC2086
if $in_time_namespace true 2>/dev/null; then
  for command in alive kill; do
    expect_code 69 $in_time_namespace "$HOLDFAST" "$command" @old_id --json
    expect_json .evidence other-time-namespace
  done
else
  echo 'time namespaces were not tried: none here'
fi
expect_lives "$pid"
end "$pid"
