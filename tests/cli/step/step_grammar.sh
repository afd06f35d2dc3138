#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The keys of steps: with `--` any word is one; any bytes make a key, and two never share a record. `step show`, `list` and
# `forget` find a key of any kind; the words of version 0.1 (`once show`) lead there.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 66 "$HOLDFAST" step show show
expect_stderr_contains '`holdfast step list` shows what is'
expect_code 0 "$HOLDFAST" once show -- sh -c 'echo ran >>ran'
expect_code 0 "$HOLDFAST" once list -- sh -c 'echo ran >>ran'
expect_runs 2
expect_code 0 "$HOLDFAST" step show show --json
expect_json .key show
expect_code 0 "$HOLDFAST" once --ttl 1h forget -- sh -c 'echo ran >>ran'
expect_runs 3
expect_code 0 "$HOLDFAST" step forget forget
expect_code 0 "$HOLDFAST" step list --json
expect_json '.steps | map(.key) | join(" ")' 'list show'
expect_code 64 "$HOLDFAST" once sho
expect_code 64 "$HOLDFAST" once
for kind in once attempt notify; do
  for member in show list forget; do
    for words in "$kind $member" "$kind $member show" "help $kind $member"; do
      # shellcheck disable=SC2086
      expect_code 64 "$HOLDFAST" $words
      expect_stderr_contains "step $member"
    done
  done
done
expect_code 64 "$HOLDFAST" once list
expect_stderr_contains 'did you mean `holdfast step list`?'
for page in once step 'step show' attempt notify until; do
  # shellcheck disable=SC2086
  expect_code 0 "$HOLDFAST" help $page
done
expect_code 0 "$HOLDFAST" help once
expect_stdout_contains 'holdfast once [OPTION...] KEY [--] COMMAND'

# A key that steps of two kinds have.
expect_code 0 "$HOLDFAST" attempt show --max 1 -- true
for member in show forget; do
  expect_code 64 "$HOLDFAST" step $member show --json
  expect_json .error.cause ambiguous-key
  expect_code 64 "$HOLDFAST" step $member show
  expect_stderr_contains 'use --kind once|attempt'
done
expect_code 0 "$HOLDFAST" step show show --kind attempt --json
expect_json .step attempt
expect_code 66 "$HOLDFAST" step show show --kind notify
expect_code 64 "$HOLDFAST" step show show --kind twice
expect_code 64 "$HOLDFAST" step show ''
expect_code 0 "$HOLDFAST" step list --json
expect_json '.steps | map(.step + ":" + .key) | join(" ")' 'once:list once:show attempt:show'
expect_code 0 "$HOLDFAST" step list --kind attempt
expect_stdout_contains 'attempt  show'
expect_code 0 "$HOLDFAST" step forget show --kind attempt --json
expect_json .step attempt
expect_code 0 "$HOLDFAST" step show show

for key in a/b 'a b' .. -x 'ä' "$(printf 'a\nb')" "$(printf '\377')" A a; do
  expect_code 0 "$HOLDFAST" attempt --max 1 -q "./$key" -- true
  expect_code 0 "$HOLDFAST" step show "./$key"
done
expect_code 0 "$HOLDFAST" step list --kind attempt --json
expect_json '.steps | length' 9
