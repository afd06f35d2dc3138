#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The life of a containerised session, with the real engine: made before its container, attached, detached, resumed,
# kept while the container exists, running or stopped, and collected when it is gone.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/podman.inc"
need_podman

# Two, so that the engine is seen to know at least one of its sessions.
for name in web other; do
  expect_code 0 "$HOLDFAST" --json workspace new "$name" --authority "podman:$name" --resume-id "chat-$name"
  dir=$(json_field .dir)
  token=$(json_field .token)
  echo work >"$dir/notes"
  podman_start "$name"
  expect_code 0 "$HOLDFAST" workspace detach "$name" --token "$token"
done
web=$HOLDFAST_HOME/sessions/web
[ -f "$web/notes" ] || fail 'no directory of the session where it should be'

expect_code 0 "$HOLDFAST" --json gc --grace 0
expect_json '.kept | map(select(.reason == "listed")) | length' 2
expect_json '.removed | length' 0

# One owner at a time; the resume id goes to that one alone.
expect_code 0 "$HOLDFAST" --json workspace resume web --owner none
expect_json .resume_id chat-web
token=$(json_field .token)
expect_code 75 "$HOLDFAST" workspace resume web
expect_code 77 "$HOLDFAST" workspace detach web --token 00000000000000000000000000000000
expect_code 0 "$HOLDFAST" workspace detach web --token "$token"

# It is known by its id, too, since it was first seen: whoever renames it does not lose its session.
[ -n "$("$HOLDFAST" --json workspace get web | jq -r '.authority.full_id')" ] || fail 'its id is not on record'
podman rename web renamed
expect_code 0 "$HOLDFAST" --json gc --grace 0
expect_json '.kept | map(select(.name == "web")) | .[0].reason' listed
podman rename renamed web

# A stopped container can be started again: its session is not garbage.
podman stop --time 0 web >/dev/null
expect_code 0 "$HOLDFAST" --json gc --grace 0
expect_json '.removed | length' 0
[ -f "$web/notes" ] || fail 'the session of a stopped container was removed'

# While somebody is attached, it stays even without its container.
podman rm --force --time 0 web >/dev/null
expect_code 0 "$HOLDFAST" --json workspace attach web --owner none
token=$(json_field .token)
expect_code 0 "$HOLDFAST" --json gc --grace 0
expect_json '.kept | map(select(.name == "web")) | .[0].reason' attached
expect_code 0 "$HOLDFAST" workspace detach web --token "$token"

expect_code 0 "$HOLDFAST" --json gc --grace 1h
expect_json '.kept | map(select(.name == "web")) | .[0].reason' young
expect_code 0 "$HOLDFAST" --json gc --plan --grace 0
expect_json '.removed | map(.name + " " + .reason) | .[0]' 'web not-listed'
[ -f "$web/notes" ] || fail 'a plan removes nothing'
plan=$(json_field .plan_id)
expect_code 0 "$HOLDFAST" --json gc --apply "$plan"
expect_json '.removed | map(.name) | .[0]' web
[ ! -e "$web" ] || fail 'the directory of a session without its container is still there'
[ -f "$HOLDFAST_HOME/sessions/other/notes" ] || fail 'the session of the other container was removed'

# And back.
expect_code 0 "$HOLDFAST" trash restore web
[ "$(cat "$web/notes")" = work ] || fail 'not restored as it was'
expect_code 0 "$HOLDFAST" --json gc --grace 0
expect_json '.kept | map(select(.name == "web")) | .[0].reason' no-authority
