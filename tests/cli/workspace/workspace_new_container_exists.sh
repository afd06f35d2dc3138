#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A new session does not take over a container that is there already.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/podman.inc"
need_podman

podman_start web
expect_code 77 "$HOLDFAST" workspace new web --authority podman:web
expect_stderr_contains 'there is such a container already'
expect_code 77 "$HOLDFAST" workspace new --prefix web --authority podman:web --json
expect_json .error.cause container-exists
podman stop --time 0 web >/dev/null
expect_code 77 "$HOLDFAST" workspace new web --authority podman:web
[ ! -e "$HOLDFAST_HOME/sessions/web" ] || fail 'something was made'

# Whoever means it says so; and a name that is taken is told as that.
expect_code 0 "$HOLDFAST" workspace new web
expect_code 0 "$HOLDFAST" workspace set web --authority podman:web
expect_code 75 "$HOLDFAST" workspace new web --authority podman:web
expect_code 0 "$HOLDFAST" workspace new fresh --authority podman:fresh
