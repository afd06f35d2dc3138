#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A later step tells a list that is intact (0) from one that lost, moved or changed a word (66), and from not
# knowing (69).
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

touch base.yml hardening.yml
printf '[[layer]]\nname = "all"\nargs = ["base.yml", "hardening.yml"]\n' >plan.toml
expect_code 69 "$HOLDFAST" layers --verify -- -f base.yml -f hardening.yml
expect_stderr_contains HOLDFAST_LAYERS_COUNT
expect_code 69 "$HOLDFAST" layers plan.toml --verify

# check CODE WORD…: what --verify says of the words, below an --exec.
# shellcheck disable=SC2016 # the inner shell's own variables
check() {
  wanted=$1
  shift
  expect_code "$wanted" "$HOLDFAST" layers plan.toml --format compose --exec -- \
    sh -c 'shift 5; exec "$HOLDFAST" layers --verify -- "$@"' sh '{layers}' . "$@"
}
check 0 -f base.yml -f hardening.yml
check 0 docker compose -f base.yml -f hardening.yml up -d
expect_no_stdout
check 66 -f base.yml -f
check 66 docker compose -f base.yml up -d
expect_stderr_contains 'dropped'
check 66 -f hardening.yml -f base.yml
check 66 -f base.yml up -f hardening.yml
check 66 -f base.yml -f ./hardening.yml
check 66 '-f base.yml -f hardening.yml'

# The plan itself, again.
# shellcheck disable=SC2016 # the inner shell's own variables
again() {
  "$HOLDFAST" layers plan.toml --format compose --exec -- \
    sh -c "$1; exec \"\$HOLDFAST\" layers plan.toml --verify --json --format $2" sh '{layers}'
}
expect_code 0 again : compose
expect_json .count 4
expect_code 66 again : args
expect_json .error.cause not-intact
expect_code 66 again 'rm hardening.yml; sed -i "s/, .hardening.yml.//" plan.toml' compose
expect_code 69 env HOLDFAST_LAYERS_COUNT=1x HOLDFAST_LAYERS_DIGEST=00 "$HOLDFAST" layers --verify -- a
expect_code 64 "$HOLDFAST" layers plan.toml --verify -- a
