#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sessions of a harness: one maker gets a name, fields are set and read, and names that Windows reads otherwise are
# told apart: devices, upper and lower case.
. "$(dirname -- "$0")/../lib/lib.sh"

"$HOLDFAST" session new web --owner none --json >"$stdout" || fail 'session new'
token=$(json_field .token)
expect_code 75 "$HOLDFAST" session new web --owner none
expect_code 0 "$HOLDFAST" session set web key=value --token "$token"
expect_code 0 "$HOLDFAST" session get web key
expect_stdout_is value
for name in Web WEB con nul 'a:b' 'end.' 'dir/../up'; do
  expect_code 0 "$HOLDFAST" session new "$name" --owner none
  expect_code 0 "$HOLDFAST" session get "$name"
done
expect_code 0 "$HOLDFAST" session list --json
expect_json '.sessions | length' 8
[ "$(find "$HOLDFAST_HOME/sessions" -name harness.json | wc -l)" -eq 8 ] || fail 'two names share a directory'
expect_code 0 "$HOLDFAST" session end web --token "$token"
expect_code 66 "$HOLDFAST" session get absent
