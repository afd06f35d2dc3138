#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command that fails, dies, is not there, says nothing or stops in the middle of a line is no layer: 65,
# nothing on stdout, the layer named, also where all that it printed before was good.
. "$(dirname -- "$0")/../../lib/layers.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >plan.toml <<'END'
[[layer]]
name = "base"
required = true
args = ["base"]
[[layer]]
name = "made"
command = ["./generate"]
END

echo 'echo good; exit 3' | script generate
expect_refused 65 command-failed made
# shellcheck disable=SC2016 # the script's own variable
echo 'echo good; kill -9 $$' | script generate
expect_refused 65 command-failed made
echo 'echo good; printf cut-off' | script generate
expect_refused 65 unfinished made
echo 'echo a; echo; echo b' | script generate
expect_refused 65 empty-line made
echo 'exit 0' | script generate
expect_refused 65 no-arguments made
script generate <<'END'
yes argument | head -c 1100000
END
expect_refused 65 too-large made
rm generate
expect_refused 65 command-failed made

echo 'echo good; echo better' | script generate
expect_code 0 "$HOLDFAST" layers plan.toml
expect_stdout_is 'base good better'
expect_no_stderr
