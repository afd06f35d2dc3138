#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/container-sessions, F3: built by somebody with umask 077. The naive image has a policy that the agent cannot
# read, and the agent goes on without one; the other pins the modes, and has the agent's user read it before it is used.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/podman.inc"
. "$(dirname -- "$0")/container_sessions.inc"
umask 077
expect_code 0 naive build
naive_run web
expect_code 0 naive resume "$name" hello
expect_stdout_contains 'policy: none'
expect_stdout_contains 'settings: none'

expect_code 0 dock build
dock_run web
expect_code 0 dock resume "$name" hello
expect_stdout_contains 'policy: 2 rules'
expect_stdout_contains 'settings: {"theme":"dark","model":"large"}'

# Whatever else takes the right to read away on the way into the image: it is not used.
engine "if [ \"\$1\" = import ]; then
  mkdir '$scratch/closed' && tar -C '$scratch/closed' -xf \"\$3\" && chmod 600 '$scratch/closed/etc/agent/policy.json' &&
    tar -C '$scratch/closed' -c . >\"\$3\"
fi
exec '$real' \"\$@\""
DOCK_IMAGE=localhost/closed:1
export DOCK_IMAGE
expect_code 77 dock build
expect_stderr_contains 'cannot read the policy'
engine_back
! podman image exists "$DOCK_IMAGE" || fail 'the image can be run'

# Settings that the agent's user cannot come to: no container.
unset DOCK_IMAGE
containers=$(podman ps -aq | wc -l)
chmod 700 "$DOCK"
expect_code 77 dock run web
expect_stderr_contains 'cannot let 1000:1000 read'
[ "$(podman ps -aq | wc -l)" -eq "$containers" ] || fail 'a container was started'
