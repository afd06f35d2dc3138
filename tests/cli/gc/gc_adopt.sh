#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Directories that a harness made itself get records without being moved, and are then collected on proof.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

mkdir data data/.agent-aa11 data/.agent-bb22 data/else precious
echo x >data/.agent-aa11/file
: >data/.agent-file
ln -s "$PWD/precious" data/.agent-link
expect_code 0 gc --adopt-dir data --pattern '.agent-*' --authority 'command:agents/{*}' --probe 'agents=echo bb22; echo agents/aa11' --json
[ "$(jq -r '.adopted | join(" ")' <"$stdout")" = '.agent-aa11 .agent-bb22' ] || fail 'not these two were adopted'
[ -f data/.agent-aa11/file ] || fail 'something was moved'
{ [ -L data/.agent-link ] && [ -d data/else ]; } || fail 'something else was touched'
expect_code 0 "$HOLDFAST" workspace get .agent-aa11 authority
expect_stdout_is command:agents/aa11

# Again: they are known; the one that is not listed goes, to the trash beside it.
expect_code 0 gc --adopt-dir data --pattern '.agent-*' --authority 'command:agents/{*}' --probe 'echo agents/bb22' --json
expect_json '.adopted | length' 0
expect_reason removed .agent-aa11 not-listed
expect_reason kept .agent-bb22 listed
[ -n "$(find data/.holdfast-trash -name file)" ] || fail 'it is not in the trash'
expect_code 64 gc --adopt-dir data
expect_code 64 gc --adopt-dir data --pattern '.agent-*' --authority nonsense
