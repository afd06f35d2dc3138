#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A word that means something in other tools is answered with the command that does it here (64); each of these commands
# is there.
. "$(dirname -- "$0")/../../lib/lib.sh"

leads_to() {
  expect_code 64 "$HOLDFAST" "$1"
  expect_no_stdout
  expect_stderr_contains "did you mean \`holdfast $2\`?"
}
leads_to version --version
leads_to status ps
leads_to list ps
leads_to log 'logs NAME'
leads_to tail 'logs NAME --follow'
leads_to start run
leads_to exec run
leads_to kill-all 'stop --all'
leads_to unlock 'release NAME'
[ ! -e "$HOLDFAST_HOME" ] || fail 'a wrong word made a home'

expect_code 0 "$HOLDFAST" gc --dry-run
grep -q '^plan ' "$stdout" || fail 'gc --dry-run keeps no plan'
expect_code 0 "$HOLDFAST" gc -n --json
expect_stdout_contains '"applied":false'
expect_code 64 "$HOLDFAST" gc --dry-run --apply 0
