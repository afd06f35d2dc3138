#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/container-sessions, F2: a dead session that cannot be removed. The naive one starts nothing any more, in any
# project; the other says so, cleans up the rest, and goes on.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/podman.inc"
. "$(dirname -- "$0")/container_sessions.inc"
touch probe
chattr +i probe 2>/dev/null || skip 'no file can be made immutable here'
chattr -i probe
trap 'chattr -f -R -i "$scratch/user" "$scratch/dock" || :; podman_end "$scratch/podman"; remove_scratch' EXIT

expect_code 0 naive build
naive_run web
touch "$(naive_dir "$name")/stuck"
chattr +i "$(naive_dir "$name")/stuck"
podman rm --force --time 0 "$name" >/dev/null
for project in web shop; do
  expect_code 1 naive run "$project"
  expect_stderr_contains 'Operation not permitted'
done
[ -z "$(podman ps -aq)" ] || fail 'the naive one has become better: something was started'

# One whose directory cannot be moved, one in which something cannot be removed, and one in order.
expect_code 0 dock build
DOCK_TRASH=0
export DOCK_TRASH
dock_run keep
kept=$name
dock_run unmovable
unmovable=$name
podman rm --force --time 0 "$name" >/dev/null
chattr +i "$(dock_dir "$name")"
dock_run stuck
stuck=$name
touch "$(dock_dir "$name")/home/file"
chattr +i "$(dock_dir "$name")/home/file"
podman rm --force --time 0 "$name" >/dev/null
dock_run plain
plain=$name
podman rm --force --time 0 "$name" >/dev/null
for project in web shop; do
  dock_run "$project"
  running "$name" || fail "no session of $project"
  for left in "$unmovable" "$stuck"; do expect_stderr_contains "$left"; done # told, each time
done
[ ! -e "$(dock_dir "$plain")" ] || fail 'the rest was not cleaned up'
[ -e "$(dock_dir "$unmovable")" ] || fail 'what cannot be moved has gone'
expect_code 0 "$HOLDFAST" journal query --type gc.failed
expect_stdout_contains "$unmovable"
running "$kept" || fail 'one that lives has ended'

# The one that could be moved and not removed is out of the way, waits in the trash, and goes as soon as it can.
in_trash() { "$HOLDFAST" trash list --json | jq -r '[.trash[] | "\(.name) \(.purging)"] | join(" ")'; }
[ ! -e "$(dock_dir "$stuck")" ] || fail 'what can be moved is still in its place'
[ "$(in_trash)" = "$stuck true" ] || fail "in the trash: $(in_trash)"
find "$DOCK/sessions/.holdfast-trash" -path "*/$stuck.*/home/file" | grep -q . || fail 'what cannot be removed has gone'
chattr -R -i "$DOCK/sessions"
dock_run web
[ ! -e "$(dock_dir "$unmovable")" ] || fail 'what can be moved by now is still there'
[ -z "$(in_trash)" ] || fail "still in the trash: $(in_trash)"
