#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `once KEY -- CMD` beside `once show KEY`: with `--` the word is a key; any bytes make a key, and two never share a record.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 66 "$HOLDFAST" once show show
expect_code 0 "$HOLDFAST" once show -- sh -c 'echo ran >>ran'
expect_code 0 "$HOLDFAST" once list -- sh -c 'echo ran >>ran'
expect_runs 2
expect_code 0 "$HOLDFAST" once show show --json
expect_json .key show
expect_code 0 "$HOLDFAST" once --ttl 1h forget -- sh -c 'echo ran >>ran'
expect_runs 3
expect_code 0 "$HOLDFAST" once forget forget
expect_code 0 "$HOLDFAST" once list --json
expect_json '.steps | map(.key) | join(" ")' 'list show'
expect_code 64 "$HOLDFAST" once sho k
expect_code 64 "$HOLDFAST" once
for page in once 'once show' attempt notify tick until; do
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" help $page
done
expect_code 0 "$HOLDFAST" help once
expect_stdout_contains 'once forget'
expect_stdout_contains 'holdfast once [OPTION...] KEY -- COMMAND'

for key in a/b 'a b' .. -x 'ä' "$(printf 'a\nb')" "$(printf '\377')" A a; do
  expect_code 0 "$HOLDFAST" tick -q "./$key" -- true
  expect_code 0 "$HOLDFAST" tick show "./$key"
done
expect_code 0 "$HOLDFAST" tick list --json
expect_json '.steps | length' 9
