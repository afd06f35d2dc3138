#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tens of thousands of words are verified in a moment, wherever the list stands among them and however alike they
# are; the environment may say it without the sum.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >plan.toml <<'END'
[[layer]]
name = "many"
command = "yes x | head -n 40000 && echo y"
END
# verify CODE SCRIPT: below an --exec with the list as "$@". The slow way takes minutes.
verify() {
  expect_code "$1" timeout 30 "$HOLDFAST" layers plan.toml --exec -- sh -c "$2" sh '{layers}'
}
# shellcheck disable=SC2016 # the inner shell's own variables
{
  verify 0 'exec "$HOLDFAST" layers --verify -- "$@"'
  verify 0 'exec "$HOLDFAST" layers --verify -- $(yes x | head -n 40000) "$@" up'
  verify 66 'exec "$HOLDFAST" layers --verify -- $(yes x | head -n 79999)'
  verify 66 'shift; exec "$HOLDFAST" layers --verify -- "$@" $(yes x | head -n 40000)'
  sed -i 's/40000/3/' plan.toml
  verify 0 'unset HOLDFAST_LAYERS_SUM; exec "$HOLDFAST" layers --verify -- x x "$@" up'
  verify 0 'unset HOLDFAST_LAYERS_SUM; exec "$HOLDFAST" layers plan.toml --verify'
  verify 66 'unset HOLDFAST_LAYERS_SUM; shift; exec "$HOLDFAST" layers --verify -- "$@" x x'
  verify 69 'HOLDFAST_LAYERS_SUM=1x; exec "$HOLDFAST" layers --verify -- "$@"'
}
