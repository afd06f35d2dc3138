#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A clean-up keeps the run of a step, an attempt or a notice whose supervisor died before it counted the run: nothing is
# repeated, attempts stay within their number, and the run goes once it was counted.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

mkfifo up go
echo hello >text
# step KIND WORD…: the step `KIND build`, of which one run may still be made.
step() {
  kind=$1 && shift
  case $kind in
    once) "$HOLDFAST" once build -- "$@" ;;
    attempt) "$HOLDFAST" attempt build --max 1 -- "$@" ;;
    notify) "$HOLDFAST" notify build -- "$@" ;;
  esac
}
for kind in once attempt notify; do
  step "$kind" sh -c 'echo >up; read -r _ <go' <text &
  step=$!
  read -r _ <up
  cp -p "$HOLDFAST_HOME/once/$kind%3Abuild.json" intended
  echo >go
  wait "$step" || fail "$kind exited with $?"
  # As a supervisor leaves it that dies right before its last write.
  cp -p intended "$HOLDFAST_HOME/once/$kind%3Abuild.json"

  expect_code 0 gc --runs --json
  expect_reason kept "$kind:build" step
  step "$kind" touch again <text >"$stdout" 2>"$stderr" || :
  [ ! -e again ] || fail "$kind was repeated"
  expect_code 0 gc --runs --json
  expect_reason removed "$kind:build" run-ended
done
