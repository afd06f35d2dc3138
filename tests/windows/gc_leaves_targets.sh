#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gc removes a session that is over, and of a link planted in it the link at most: its target stays, whole. What is
# live, young or nobody's stays.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

mkdir precious precious/sub
echo gold >precious/file
echo gold >precious/sub/file
ended real
new quiet
ln -s "$PWD/precious" "$sessions/real/inside"
ln -s "$PWD/precious/file" "$sessions/real/file"
mkdir "$sessions/real/deep"
ln -s "$PWD/precious/sub" "$sessions/real/deep/er"
echo mine >"$sessions/real/deep/plain"
ln -s "$PWD/precious" "$sessions/link"

expect_code 0 "$HOLDFAST" gc --json
expect_reason kept real young
# Under Wine a link cannot be removed by itself: it stays in the trash and is named, and what is no link has gone.
expect_code 0 gc --trash-for 0 --json
expect_reason removed real ended
expect_json .purged 0
for link in inside file deep/er; do expect_stderr_contains "/$link: is-link"; done
[ -z "$(find "$HOLDFAST_HOME" -name plain)" ] || fail 'what is no link is still there'
{ [ "$(cat precious/file)" = gold ] && [ "$(cat precious/sub/file)" = gold ]; } || fail 'a target was touched'
[ "$(find precious | wc -l)" -eq 4 ] || fail 'something of the target went'
[ ! -e "$sessions/real/harness.json" ] || fail 'the session that is over is still there'
[ -d "$sessions/quiet" ] || fail 'the one that nobody ended went'
[ -L "$sessions/link" ] || fail 'a link that is no session went'

# To the trash, and back.
ended two
expect_code 0 gc --json
expect_reason removed two ended
[ ! -e "$sessions/two" ] || fail 'it is still there'
expect_code 0 "$HOLDFAST" trash list --json
expect_code 0 "$HOLDFAST" trash restore two
[ -d "$sessions/two" ] || fail 'it did not come back'
expect_code 0 "$HOLDFAST" workspace get two
