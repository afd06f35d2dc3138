#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A signal that asks to end while a command of the plan runs ends it all, whatever exit code the command makes of
# it: a 0 does not let a cut list pass, and a 1 does not leave a layer out.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
: "${HF_TEST_CHILD:?}"

mkfifo ../began
# interrupt SIGNAL OPTION…: the plan's command says when it has begun, and gets the signal through holdfast.
interrupt() {
  signal=$1
  shift
  "$HOLDFAST" layers plan.toml "$@" >"$stdout" 2>"$stderr" &
  holdfast=$!
  read -r _ <../began
  kill "-$signal" "$holdfast"
  code=0
  wait "$holdfast" || code=$?
  [ "$code" -eq 65 ] || fail "$signal: exit code $code"
  [ ! -e ran ] || fail 'the command was run'
}
for signal in TERM HUP; do
  cat >plan.toml <<'END'
[[layer]]
name = "made"
command = "trap 'exit 0' TERM HUP; echo half; echo >../began; while :; do :; done"
END
  interrupt "$signal"
  expect_no_stdout
  expect_stderr_contains "'made' of plan.toml:"
  [ "$(last_event layers.refused | jq -r .reason)" = interrupted ] || fail "$(last_event layers.refused)"
  cat >plan.toml <<'END'
[[layer]]
name = "base"
args = ["base"]
[[layer]]
name = "guard"
when = "trap 'exit 1' TERM HUP; echo >../began; while :; do :; done"
args = ["guard"]
END
  interrupt "$signal" --exec -- touch ran '{layers}'
  expect_stderr_contains "'guard' of plan.toml:"
  interrupt "$signal" --json
  expect_json .error.cause interrupted
done
# Ctrl-C.
sed -i 's/^when.*/when = "trap \\"exit 1\\" INT; echo ready >\&2; while :; do :; done"/' plan.toml
code=0
"$HF_TEST_CHILD" pty c -- "$HOLDFAST" layers plan.toml --exec -- touch ran '{layers}' </dev/null >"$stdout" 2>"$stderr" ||
  code=$?
[ "$code" -eq 65 ] || fail "Ctrl-C: exit code $code"
[ ! -e ran ] || fail 'the command was run'
