#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A clean-up keeps the run of a step whose supervisor died before it counted the run: the step is not repeated.
. "$(dirname -- "$0")/../cli/lib.sh"
. "$(dirname -- "$0")/../cli/gc.inc"

mkfifo up go
set -- "$HOLDFAST" once build -- sh -c 'echo ran >>ran; echo >up; read -r _ <go'
"$@" &
step=$!
read -r _ <up
cp -p "$HOLDFAST_HOME/once/once%3Abuild.json" intended
echo >go
wait "$step" || fail "the step exited with $?"
# As a supervisor leaves it that dies right before its last write.
cp -p intended "$HOLDFAST_HOME/once/once%3Abuild.json"

expect_code 0 gc --runs --json
expect_reason kept once:build step
expect_code 0 "$HOLDFAST" once build -- touch again
[ ! -e again ] || fail 'the step was repeated'
expect_code 0 gc --runs --json
expect_reason removed once:build run-ended
