#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/container-sessions, F5: the host's settings are caught in the middle of a rewrite. The naive one empties those
# of all containers and says that they are fresh; the other keeps the old ones and says so.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/podman.inc"
. "$(dirname -- "$0")/container_sessions.inc"
halves() { printf '{"theme": "li' >"$HOME/.agent.json"; }
wholes() { echo '{"theme": "'"$1"'", "model": "large"}' >"$HOME/.agent.json"; }

expect_code 0 naive build
wholes dark
naive_run web
halves
rm "$HOME/.dock/last-sync"
naive_run web
expect_stdout_contains 'settings refreshed'
[ -e "$HOME/.dock/last-sync" ] || fail 'the naive one has become better: no stamp'
[ ! -s "$HOME/.dock/settings/settings.json" ] || fail 'the naive one has become better: the settings are not empty'
expect_code 0 naive resume "$name" hello
expect_stdout_contains 'settings: none'

# With no settings at all there is nothing to start with.
expect_code 0 dock build
expect_code 66 dock run web
[ -z "$(podman ps -aq --filter 'name=^dock-web' --filter "volume=$DOCK/settings")" ] || fail 'a container was started'
[ ! -e "$DOCK/last-sync" ] || fail 'it was stamped'
wholes dark
dock_run web
live=$name
cp "$DOCK/settings/settings.json" before
cp "$DOCK/last-sync" stamp
halves
expect_code 65 dock sync
dock_run web
expect_stderr_contains 'the old ones stay'
cmp before "$DOCK/settings/settings.json" || fail 'the settings were changed'
cmp stamp "$DOCK/last-sync" || fail 'it was stamped'
: >"$HOME/.agent.json"
expect_code 65 dock sync
for name in "$name" "$live"; do
  expect_code 0 dock resume "$name" hello
  expect_stdout_contains 'settings: {"theme":"dark","model":"large"}'
done

# Whole again: a container that runs sees the new ones.
wholes light
expect_code 0 dock sync
expect_code 0 dock watch "$live" cat /etc/agent/settings/settings.json
expect_stdout_contains light
