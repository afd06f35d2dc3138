#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `~` and `${VAR}` are expanded in `args`; an unset variable is 78 and named, never an empty string.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf '[[layer]]\nname = "mine"\nargs = ["~/x", "${TOP}/a b", "$TOP"]\n' >plan.toml
TOP='/to p'
export TOP
expect_code 0 "$HOLDFAST" layers plan.toml --format json
jq -e --arg home "$HOME" '. == [$home + "/x", "/to p/a b", "$TOP"]' <"$stdout" >/dev/null || fail 'other words'
TOP=
expect_code 0 "$HOLDFAST" layers plan.toml --json
expect_json '.args[1]' '/a b'
unset TOP
expect_refused 78 unset-variable mine
expect_code 78 "$HOLDFAST" layers plan.toml
expect_stderr_contains TOP
