#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Links, files and FIFOs named like sessions are never followed, and links inside go without their targets.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

mkdir precious precious/sub
echo gold >precious/file
ended real
ln -s "$PWD/precious" "$sessions/real/inside"
ln -s "$PWD/precious/file" "$sessions/real/file"
# What `rm -rf "$dir"/` empties: a link with a record behind it that says "ended".
cp "$sessions/real/harness.json" precious/
sed -i 's/"name":"real"/"name":"link"/' precious/harness.json
ln -s "$PWD/precious" "$sessions/link"
ln -s "$PWD/precious/" "$sessions/slash"
ln -s nowhere "$sessions/dangling"
mkfifo "$sessions/fifo"
: >"$sessions/file"
mkdir "$sessions/bare"
mkdir "$sessions/%zz" "$sessions/recordlink"
ln -s "$PWD/precious/harness.json" "$sessions/recordlink/harness.json"

expect_code 0 gc --trash-for 0 --json
expect_reason removed real ended
for name in link slash dangling fifo file %zz; do expect_reason unknown $name not-a-session; done
expect_reason unknown bare no-record
expect_reason unknown recordlink is-link
{ [ "$(cat precious/file)" = gold ] && [ -d precious/sub ]; } || fail 'what a link points to was touched'
{ [ -L "$sessions/link" ] && [ -p "$sessions/fifo" ] && [ -d "$sessions/bare" ]; } || fail 'something strange went'
[ ! -e "$sessions/real" ] || fail 'the real one stays'
[ -z "$(ls -A "$sessions/.holdfast-trash")" ] || fail 'the trash is not empty'
