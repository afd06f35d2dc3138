#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/container-sessions, F4: what lists the mounts fails. The naive one starts a container without its hardening;
# the other starts none, and leaves no session behind.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/podman.inc"
. "$(dirname -- "$0")/container_sessions.inc"
hardening() {
  podman inspect --format '{{.HostConfig.ReadonlyRootfs}} {{len .HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}}' "$1"
}
whole='true [1-9][0-9]* \[no-new-privileges\]'

expect_code 0 naive build
naive_run web
hardening "$name" | grep -qx "$whole" || fail "not hardened: $(hardening "$name")"
mkdir "$scratch/data"
printf '%s\n' "$scratch/data" "$scratch/not-mounted-today" >"$HOME/.dock-mounts"
naive_run web
[ "$(hardening "$name")" = 'false 0 []' ] || fail "the naive one has become better: $(hardening "$name")"

expect_code 0 dock build
dock_run web
hardening "$name" | grep -qx "$whole" || fail "not hardened: $(hardening "$name")"
sessions=$(ls "$DOCK/sessions")
containers=$(podman ps -aq | wc -l)
cp "$HOME/.dock-mounts" "$DOCK/mounts"
expect_code 65 dock run web
expect_stderr_contains "'mounts'"
[ "$(podman ps -aq | wc -l)" -eq "$containers" ] || fail 'a container was started'
expect_code 0 dock gc
[ "$(ls "$DOCK/sessions")" = "$sessions" ] || fail "a session was left behind: $(ls "$DOCK/sessions")"

mkdir "$scratch/not-mounted-today"
dock_run web
hardening "$name" | grep -qx "$whole" || fail "not hardened: $(hardening "$name")"
podman inspect --format '{{range .Mounts}}{{.Destination}} {{end}}' "$name" | grep -q /mnt/not-mounted-today ||
  fail 'without the mounts'
