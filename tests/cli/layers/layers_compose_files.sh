#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# With --format compose each argument is a file that is there, once; relative to the plan, wherever one
# calls it from. A missing overlay is 65 and not a shorter list.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkdir real
touch base.yml real/hardening.yml ./-
ln -s real/hardening.yml hardening.yml
cat >plan.toml <<'END'
expect = 3
[[layer]]
name = "base"
required = true
args = ["base.yml", "hardening.yml"]
[[layer]]
name = "odd"
args = ["-"]
END
expect_code 0 "$HOLDFAST" layers plan.toml --format compose
expect_stdout_is '-f base.yml -f hardening.yml -f ./-'
cd ..
expect_code 0 "$HOLDFAST" layers work/plan.toml --format compose
expect_stdout_is '-f work/base.yml -f work/hardening.yml -f work/-'
cd work

mv real/hardening.yml real/away
expect_refused 65 dangling-link base --format compose
rm hardening.yml
expect_refused 65 missing-file base --format compose
expect_code 65 "$HOLDFAST" layers plan.toml --format compose
expect_stderr_contains "'hardening.yml'"
mkdir hardening.yml
expect_refused 65 not-a-regular-file base --format compose
rmdir hardening.yml
mkfifo hardening.yml
expect_refused 65 not-a-regular-file base --format compose
rm hardening.yml
ln base.yml hardening.yml
expect_refused 65 duplicate base --format compose
