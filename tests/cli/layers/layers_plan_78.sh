#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A wrong plan is 78 with its line, before any command of it runs.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >plan.toml <<'END'
[[layer]]
name = "made"
command = "touch ran; echo x"
[[layer]]
name = "guard"
required = true
args = ["hardening.yml"]
END
expect_refused 78 required-after-optional ''
expect_code 78 "$HOLDFAST" layers plan.toml
expect_stderr_contains 'plan.toml:4:1'
expect_stderr_contains "'guard'"
sed -i 's/^required.*/require = true/' plan.toml
expect_refused 78 toml-unknown-key ''
sed -i '/^require/d; s/"guard"/"made"/' plan.toml
expect_refused 78 duplicate-name ''
echo 'expect = 1' >plan.toml
expect_refused 78 no-layers ''
[ ! -e ran ] || fail 'a command of a wrong plan was run'

expect_code 66 "$HOLDFAST" layers missing.toml
expect_no_stdout
