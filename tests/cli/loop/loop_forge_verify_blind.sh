#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# While nobody can tell whether an issue is merged, it is neither done nor tried again; when somebody can, it is done
# without another merge. The agent asks for the pull request and makes it, CI and the merge ask for it once each; from
# then on the forge is blind.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/forge.inc"
loop_file ''
issue 'It crashes'
blind() {
  lie "$1"
  ticks 2
  expect_item 160 .state verifying
  expect_count 'POST merge' 1
  expect_issue 160 .state open
}
blind '{"pull": {"how": "500", "after": 4}}'
blind '{"pull": {"how": "html"}}'
blind '{"pull": {"how": "cut"}}'
lie '{}'
until "$HOLDFAST" loop status loop.toml --json -q | jq -e '.items[] | select(.id == "160") | .state == "done"' >"$scratch/seen"; do
  expect_code 0 "$HOLDFAST" loop loop.toml --once
done
expect_count 'POST merge' 1
expect_issue 160 .state closed
