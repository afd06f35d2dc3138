#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The record of a session is a hint: `kill NAME` signals nobody whom `stop` would not.
. "$(dirname -- "$0")/../../lib/sessions.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_sleepers

sleeper
stranger=$sleeper
sleeper
dead=$sleeper
put_session mine orphaned "$dead"
end_one "$dead"
forge() { put_session mine orphaned "$stranger" "$1"; }
refused() {
  for tree in '' --tree; do
    # shellcheck disable=SC2086  # nothing, or one option
    expect_code 77 "$HOLDFAST" kill mine $tree --grace 0 --json
    expect_json .outcome mismatch
    expect_json .evidence "$1"
    kill -s 0 "$stranger" || fail "the stranger was signalled: $1"
  done
}

# As its command, and, of a record without one, as its supervisor.
forge '.command = .supervisor | .supervisor.pid = 4194303'
refused not-its-command
expect_code 77 "$HOLDFAST" stop mine --json
forge .
refused not-its-supervisor

# A final record says who it was, and is judged all the same.
forge '.state = "exited" | .exit_code = 0 | .ended = .created | .command = .supervisor'
refused not-its-command

# The run id, command and all of another session, copied.
expect_code 0 "$HOLDFAST" run --name other --detach -- sleep 1000
theirs=$(jq -c '{command, run, cgroup} | del(.[] | nulls)' <"$(session_dir other)/session.json")
forge ". + $theirs"
refused other-session
expect_code 0 "$HOLDFAST" alive other
expect_code 0 "$HOLDFAST" journal query --type process.kill_refused
grep -q other-session "$stdout" || fail 'the refusal is not on record'

# Its own is still killed by name, with an empty environment, too.
expect_code 0 "$HOLDFAST" kill other --json
expect_json .outcome killed
expect_code 0 "$HOLDFAST" run --name bare --detach -- env -i sleep 1000
expect_code 0 "$HOLDFAST" kill bare --json
expect_json .outcome killed
