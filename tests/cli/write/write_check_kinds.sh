#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `--check json|jsonl|toml|utf8` lets good content in and keeps bad content out (65), each of several checks.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# accepts KIND TEXT; refuses KIND TEXT: TEXT is for printf.
accepts() {
  # shellcheck disable=SC2059 # it is a format
  printf "$2" >content
  expect_code 0 write f --check "$1" --from content
  cmp -s content f || fail "$1: not the content that was given"
}
refuses() {
  printf 'good' >f
  # shellcheck disable=SC2059 # it is a format
  printf "$2" >content
  expect_code 65 write f --json --check "$1" --from content
  expect_json .code 65
  expect_file f good
}
accepts json '{"a":[1,2]}'
refuses json '{"a":[1,2]'
refuses json ''
accepts jsonl '{"a":1}\n{"a":2}\n'
refuses jsonl '{"a":1}\n{"a":\n'
accepts toml 'a = 1\n[b]\nc = "d"\n'
refuses toml 'a = \n'
accepts utf8 'caf\303\251\n'
refuses utf8 'caf\351\n'
expect_code 65 write f --check utf8 --check json --from content
printf '[1]' >content
expect_code 0 write f --check utf8 --check json --from content
expect_only content f
