#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `--` may be left out: options end at the first word of the command, and everything after it is the command's.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" run echo --help -q --json -- --version
expect_stdout_is '--help -q --json -- --version'
expect_code 3 "$HOLDFAST" run --timeout 5 -q sh -c 'exit 3'
expect_code 0 "$HOLDFAST" --json run --timeout=5 true
expect_json .exit_code 0

expect_code 0 "$HOLDFAST" lock deploy echo -n x
expect_stdout_is x
expect_code 0 "$HOLDFAST" lock deploy -- echo -n x
expect_code 0 "$HOLDFAST" lock --file data echo data
expect_stdout_is data
expect_code 0 "$HOLDFAST" once key echo --ttl
expect_stdout_is --ttl
expect_code 0 "$HOLDFAST" attempt key --max 2 echo --max
expect_stdout_is --max
expect_code 0 "$HOLDFAST" until --timeout 5 true --timeout
expect_code 0 sh -c 'echo text | "$1" notify key cat -' sh "$HOLDFAST"
printf '{"port":80}\n' >c.json
expect_code 0 "$HOLDFAST" write c.json jq -c .port=81 c.json
expect_code 0 "$HOLDFAST" update c.json --check json jq -c '.port += 1'
[ "$(cat c.json)" = '{"port":82}' ] || fail 'not written'

# No command, and what looks like one of our options before it.
expect_code 64 "$HOLDFAST" run
expect_stderr_contains 'the command to run is missing'
expect_code 64 "$HOLDFAST" run --timeout 5
expect_stderr_contains 'the command to run is missing'
expect_code 64 "$HOLDFAST" lock deploy
expect_stderr_contains 'the command to run is missing'
expect_code 64 "$HOLDFAST" lock deploy --
expect_code 64 "$HOLDFAST" once key --
expect_code 64 "$HOLDFAST" lock deploy --trl 5s touch ran
expect_stderr_contains 'did you mean --ttl?'
expect_code 64 "$HOLDFAST" run -5 touch ran
expect_code 64 "$HOLDFAST" rnu touch ran
expect_stderr_contains 'did you mean run?'
expect_code 64 "$HOLDFAST" run --timeout touch ran
expect_code 64 "$HOLDFAST" run --tmeout 5 touch ran --json
expect_json .error.cause unknown-option
expect_code 2 "$HOLDFAST" run --tmeout 5 touch ran --hook
[ ! -e ran ] || fail 'ran'

# The common options of the command are not ours, also where ours is an error, or a hook's.
expect_code 127 "$HOLDFAST" run ./no-such --json --hook
expect_no_stdout
expect_code 0 "$HOLDFAST" run -h no-such
expect_stdout_contains 'holdfast run [OPTION...]'
for page in run lock once attempt notify until write update layers; do
  expect_code 0 "$HOLDFAST" help "$page"
  expect_stdout_contains '[--] COMMAND [ARGUMENT...]'
done
