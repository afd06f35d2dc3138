#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A healthy engine that has nothing left is believed: the only session of a home goes with its container.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/podman.inc"
. "$(dirname -- "$0")/../../lib/gc.inc"
need_podman

new web --authority podman:web
podman_start web
expect_code 0 gc --json
expect_reason kept web listed
podman rm --force --time 0 web >/dev/null
expect_code 0 gc --json
expect_reason removed web no-such-container
[ ! -e "$sessions/web" ] || fail 'the directory is still there'

# It is on record what the removal rested on.
expect_code 0 "$HOLDFAST" journal query --type gc.removed
grep -q no-such-container "$stdout" || fail 'the journal does not name the evidence'
