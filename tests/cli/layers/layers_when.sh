#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A condition puts its layer in (0) or leaves it out (1); any other answer is a failure, never a no. What it
# prints is not part of the list.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >plan.toml <<'END'
[[layer]]
name = "base"
required = true
args = ["base"]
[[layer]]
name = "gpu"
when = "echo noise; exit $ANSWER"
args = ["gpu"]
[[layer]]
name = "last"
args = ["last"]
END
export ANSWER=0
expect_code 0 "$HOLDFAST" layers plan.toml
expect_stdout_is 'base gpu last'
ANSWER=1
expect_code 0 "$HOLDFAST" layers plan.toml
expect_stdout_is 'base last'
for ANSWER in 2 69 127; do
  expect_refused 65 when-failed gpu
done
sed -i 's/^when.*/when = ["\/nowhere\/asks"]/' plan.toml
expect_refused 65 when-failed gpu
