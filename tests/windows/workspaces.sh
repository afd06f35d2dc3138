#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Workspaces: one maker gets a name, fields are set and read, and names that Windows reads otherwise are
# told apart: devices, upper and lower case.
. "$(dirname -- "$0")/../lib/lib.sh"

"$HOLDFAST" workspace new web --owner none --json >"$stdout" || fail 'workspace new'
token=$(json_field .token)
expect_code 75 "$HOLDFAST" workspace new web --owner none
expect_code 0 "$HOLDFAST" workspace set web key=value --token "$token"
expect_code 0 "$HOLDFAST" workspace get web key
expect_stdout_is value
for name in Web WEB con nul 'a:b' 'end.' 'dir/../up'; do
  expect_code 0 "$HOLDFAST" workspace new "$name" --owner none
  expect_code 0 "$HOLDFAST" workspace get "$name"
done
expect_code 0 "$HOLDFAST" workspace list --json
expect_json '.workspaces | length' 8
[ "$(find "$HOLDFAST_HOME/sessions" -name harness.json | wc -l)" -eq 8 ] || fail 'two names share a directory'
expect_code 0 "$HOLDFAST" workspace end web --token "$token"
expect_code 66 "$HOLDFAST" workspace get absent
