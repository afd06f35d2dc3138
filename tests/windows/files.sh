#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `write` and `update` replace a file whole or not at all: a producer, a filter or a check that fails keeps it.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

printf 'one\n' | expect_code 0 "$HOLDFAST" write f --allow-unchecked --json
expect_json .changed true
expect_json .committed true
expect_json .new_sha256 "$(printf 'one\n' | sha256sum | cut -d ' ' -f 1)"
[ "$(cat f)" = one ] || fail 'not written'
printf 'one\n' | expect_code 0 "$HOLDFAST" write f --allow-unchecked --json
expect_json .changed false

expect_code 65 "$HOLDFAST" write f -- "$cmd" /c 'echo half & exit 4'
[ "$(cat f)" = one ] || fail 'a failing producer changed the file'
expect_code 0 "$HOLDFAST" write f -- "$cmd" /c 'echo made'
[ "$(plain f)" = made ] || fail 'the output of the producer is not there'
: | expect_code 65 "$HOLDFAST" write f --allow-unchecked
printf '{"a":' | expect_code 65 "$HOLDFAST" write f --check json
[ "$(plain f)" = made ] || fail 'refused content was written'
printf '{"a":1}' | expect_code 0 "$HOLDFAST" write f --check json --backup 2
printf 'x' | expect_code 75 "$HOLDFAST" write f --allow-unchecked --if-hash 0000000000000000000000000000000000000000000000000000000000000000
[ "$(cat f)" = '{"a":1}' ] || fail 'not the content that was checked'
printf 'x' | expect_code 65 "$HOLDFAST" write f --check 'exit 9'
printf '{"a":2}' | expect_code 0 "$HOLDFAST" write f --check 'find "a" < "%HOLDFAST_STAGED%"'

printf 'b1\r\na1\r\nb2\r\n' >list
expect_code 0 "$HOLDFAST" update list -- "$cmd" /d /s /c 'find "b"'
[ "$(plain list)" = "$(printf 'b1\nb2')" ] || fail "filtered: $(cat list)"
expect_code 65 "$HOLDFAST" update list -- "$cmd" /c 'exit 1'
[ "$(plain list)" = "$(printf 'b1\nb2')" ] || fail 'a failing filter changed the file'
[ -z "$(find . -name '.hf-stage-*')" ] || fail 'something was left behind'
