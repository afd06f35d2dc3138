#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/container-sessions, the life of a session: made, worked in by one at a time, gone on with, ended, collected
# with its conversation saved. In the naive one the first who leaves takes the container from the other.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/podman.inc"
. "$(dirname -- "$0")/container_sessions.inc"

# in_it VERSION NAME: somebody works in it, until the file `go` is in its home.
in_it() {
  "$1" attach "$2" sh -c '
    echo >/home/agent/in; while [ ! -e /home/agent/go ]; do sleep 0.1; done; echo >/home/agent/out' \
    </dev/null >/dev/null 2>&1 &
}

expect_code 0 naive build
naive_run web
expect_code 0 naive resume "$name" hello
expect_stdout_contains 'policy: 2 rules'
expect_stdout_contains 'settings: {"theme":"dark","model":"large"}'
dir=$(naive_dir "$name")
in_it naive "$name"
one=$!
wait_for 'somebody is in it' [ -e "$dir/in" ]
expect_code 0 naive attach "$name" cat /etc/agent/policy.json
! running "$name" || fail 'the naive one has become better: the container is still there'
wait "$one" || :
[ ! -e "$dir/out" ] || fail 'the one who was in it could go on'

expect_code 0 dock build
dock_run web
web=$name
dir=$(dock_dir "$web")/home
expect_code 0 dock resume "$web" hello
expect_stdout_contains 'policy: 2 rules'
expect_stdout_contains 'settings: {"theme":"dark","model":"large"}'
expect_stdout_contains 'turn 1 of'
id=$(sed -n 's/^turn 1 of //p' "$stdout")
in_it dock "$web"
one=$!
wait_for 'somebody is in it' [ -e "$dir/in" ]
expect_code 75 dock attach "$web" cat /etc/agent/policy.json
expect_stderr_contains 'dock attach'
expect_code 75 dock resume "$web" me too
expect_code 75 dock end "$web"
expect_code 0 dock watch "$web" cat "/home/agent/transcript-$id"
expect_stdout_is hello
running "$web" || fail 'a guest who left has taken the container along'
touch "$dir/go"
wait "$one" || fail "the one who was in it got $?"
[ -e "$dir/out" ] || fail 'the one who was in it could not go on'
running "$web" || fail 'the container went with its owner'

# Gone on with, also when the container was stopped: the same conversation.
podman stop --time 0 "$web" >/dev/null
expect_code 0 dock resume "$web" again
expect_stdout_contains "turn 2 of $id"
expect_code 0 dock list
expect_stdout_contains "$web"

# One whose container is gone goes, if its conversation could be saved; the one that lives stays.
dock_run other
expect_code 0 dock resume "$name" other words
other=$(sed -n 's/^turn 1 of //p' "$stdout")
podman rm --force --time 0 "$name" >/dev/null
mv "$DOCK/transcripts" "$DOCK/away"
expect_code 0 dock gc
[ -e "$(dock_dir "$name")/home/transcript-$other" ] || fail 'it went, and its conversation was not saved'
mv "$DOCK/away" "$DOCK/transcripts"
expect_code 0 dock gc
[ ! -e "$(dock_dir "$name")" ] || fail 'its directory is still there'
[ "$(cat "$DOCK/transcripts/$name.$other")" = 'other words' ] || fail 'its conversation was not saved'
[ -e "$dir/transcript-$id" ] || fail 'the one that lives has gone'

expect_code 0 dock end "$web"
! podman container exists "$web" || fail 'the container is still there'
expect_code 0 dock gc
[ ! -e "$(dock_dir "$web")" ] || fail 'its directory is still there'
[ "$(cat "$DOCK/transcripts/$web.$id")" = "$(printf 'hello\nagain')" ] || fail 'its conversation was not saved'
expect_code 66 dock resume "$web" once more
