#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/container-sessions: what the naive manager left is taken over. Its directories get records and stay as they are,
# its conversations can be gone on with, and gc asks the engine before one of them goes.
# label: system
. "$(dirname -- "$0")/../cli/lib.sh"
. "$(dirname -- "$0")/../cli/podman.inc"
. "$(dirname -- "$0")/container_sessions.inc"
expect_code 0 naive build
naive_run web
web=$name
expect_code 0 naive resume "$web" hello
naive_run web
gone=$name
look() { (cd "$HOME" && find .dock-???? -exec stat -c '%n %Y %i %a' {} + | sort); }
before=$(look)
import() { "$HOLDFAST" import sessions "$HOME" --prefix .dock- --authority 'podman:dock-web-{*}' "$@"; }

# Who should vouch for them does not answer: nothing is taken over.
engine 'echo "Cannot connect to Podman" >&2; exit 125'
expect_code 69 import --apply
engine_back
expect_code 0 "$HOLDFAST" session list --json
expect_json '.sessions | length' 0

expect_code 0 import --json
expect_json .counts.importable 2
expect_code 0 import --apply --json
expect_json .counts.imported 2
expect_code 0 import --apply --json
expect_json .counts.already 2
[ "$(look)" = "$before" ] || fail 'the directories were changed'

# Gone on with, by its record.
session=.dock-${web##*-}
id=$(cat "$(naive_dir "$web")/session-id")
expect_code 0 "$HOLDFAST" session resume "$session" -- \
  sh -c 'exec podman exec -i "$1" agent "$HOLDFAST_RESUME_ID" again' sh "$web"
expect_stdout_contains "turn 2 of $id"

# And collected on the engine's word, which the naive clean-up does without.
podman rm --force --time 0 "$gone" >/dev/null
expect_code 0 "$HOLDFAST" gc --grace 0 --json
expect_json '[.removed[].name] | join(" ")' ".dock-${gone##*-}"
[ ! -e "$(naive_dir "$gone")" ] || fail 'the one that podman does not know is still there'
[ -e "$(naive_dir "$web")/transcript-$id" ] || fail 'the one that runs has gone'
