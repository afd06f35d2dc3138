#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `expect` and `digest` refuse a list that differs from what the plan says; a good one is in the journal with
# its count and digest, which anybody can compute.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

echo 'services: {}' >pinned.yml
sum() { sha256sum "$@" | cut -d ' ' -f 1; }
plan() {
  cat >plan.toml <<END
expect = $1
[[layer]]
name = "pinned"
required = true
args = ["pinned.yml"]
digest = "sha256:$2"
[[layer]]
name = "made"
command = "printf 'a\nb\n'"
digest = "sha256:$3"
END
}
file=$(sum pinned.yml)
printed=$(printf 'a\nb\n' | sum)
plan 3 "$file" "$printed"
expect_code 0 "$HOLDFAST" layers plan.toml --json
expect_json '.args | join(" ")' 'pinned.yml a b'
expect_json .count 3
expect_json .digest "$(printf 'pinned.yml\0a\0b\0' | sum)"
[ "$(last_event layers.assembled)" = "$(jq -c --arg file "$PWD/plan.toml" '{file: $file, count, digest}' <"$stdout")" ] ||
  fail 'the journal says something else'

plan 4 "$file" "$printed"
expect_refused 65 wrong-count ''
expect_code 65 "$HOLDFAST" layers plan.toml
expect_stderr_contains 'pinned 1, made 2'
plan 3 "$file" "$file"
expect_refused 65 digest-mismatch made
plan 3 "$file" "$printed"
echo 'services: {evil: {}}' >pinned.yml
expect_refused 65 digest-mismatch pinned
