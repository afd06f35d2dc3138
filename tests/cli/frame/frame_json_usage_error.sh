#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# With --json anywhere before `--`, a wrong command line is answered with one JSON document, too.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 64 "$HOLDFAST" help --bogus --json
expect_no_stderr
expect_json .ok false
expect_json .code 64
expect_json .error.cause unknown-option
expect_json .error.subject --bogus
expect_json '.error | keys | sort | join(" ")' 'cause detail op subject'
expect_json 'keys_unsorted[0:2] | join(" ")' 'ok code'

expect_code 64 "$HOLDFAST" --json nonsense
expect_json .error.cause unknown-command
expect_code 64 "$HOLDFAST" --json
expect_json .error.cause missing-command
expect_code 64 "$HOLDFAST" --json "$(printf 'x\377y')"
expect_json .error.cause unknown-command

expect_code 64 "$HOLDFAST" nonsense -- --json
expect_no_stdout
