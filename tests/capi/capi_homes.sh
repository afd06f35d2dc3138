#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A home that is not safe, or not to be understood, is refused when it is opened; one that is not there is no fault.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/library.inc"

build_c tool
tool=$scratch/tool
expect_code 0 "$tool" open
[ ! -e "$HOLDFAST_HOME" ] || fail 'opening made a home'

expect_code 0 "$tool" try named x
chmod 0777 "$HOLDFAST_HOME"
expect_code 77 "$tool" open
expect_stderr_contains home-writable-by-others
chmod 0700 "$HOLDFAST_HOME"
printf '{"v":99,"kind":"holdfast-home"}\n' >"$HOLDFAST_HOME/format"
expect_code 69 "$tool" open
printf 'x' >"$HOLDFAST_HOME/format"
expect_code 65 "$tool" open

ln -s "$scratch/elsewhere" "$scratch/link"
mkdir "$scratch/elsewhere"
expect_code 77 env HOLDFAST_HOME="$scratch/link" "$tool" open
expect_stderr_contains home-is-link
expect_code 78 env HOLDFAST_HOME= "$tool" open
if [ "$(id -u)" = 0 ]; then
  mkdir -m 0700 "$scratch/foreign"
  chown 12345 "$scratch/foreign"
  expect_code 77 env HOLDFAST_HOME="$scratch/foreign" "$tool" open
  expect_stderr_contains home-foreign-owner
fi
expect_code 65 env HOLDFAST_CHAIN=nonsense "$tool" open
