#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `stop` of a run in a workspace ends the run, and leaves the workspace, its files and who is attached as they were.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

expect_code 0 "$HOLDFAST" workspace new w --owner $$ --json
token=$(json_field .token)
expect_code 0 "$HOLDFAST" workspace set w key=value
# shellcheck disable=SC2016
expect_code 0 "$HOLDFAST" run --detach --name w -- sh -c 'touch "$HOLDFAST_SESSION_DIR/mine"; sleep 600'
facts() { "$HOLDFAST" workspace get w --json | jq -c '[.state, .owner.pid, (.attached | length), .fields, .directory]'; }
before=$(facts)
expect_code 0 "$HOLDFAST" stop w
[ "$(facts)" = "$before" ] || fail "the workspace was $before, and is $(facts)"
expect_record w .reason stopped
expect_code 0 "$HOLDFAST" workspace detach w --token "$token"
# Without a run there is nothing to stop.
expect_code 66 "$HOLDFAST" stop w
[ -e "$HOLDFAST_HOME/sessions/w/harness.json" ] || fail 'the workspace is gone'
