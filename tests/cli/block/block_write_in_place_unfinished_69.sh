#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who only reads blocks does not believe a file that is being written in place: the undo file beside it says so.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

printf 'u\n' >f.sh
printf 'x\n' >x.txt
expect_code 0 put f.sh --id a <x.txt
keep f.sh
: >.f.sh.hf-undo
for command in 'get --id a' list check strip-orphans 'strip-orphans --plan'; do
  # shellcheck disable=SC2086
  expect_code 69 "$HOLDFAST" block ${command%% *} f.sh ${command#"${command%% *}"} --json
  expect_json .error.cause write-in-place-unfinished
  expect_kept f.sh
done
rm .f.sh.hf-undo
expect_code 0 "$HOLDFAST" block get f.sh --id a
expect_stdout_is x
