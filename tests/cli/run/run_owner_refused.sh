#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run --owner of a process that has ended is 66, of what is none 64; nothing is started then. The streams of a run with an
# owner are the caller's own.
. "$(dirname -- "$0")/../../lib/lib.sh"

sleep 600 &
gone=$!
kill -s KILL "$gone"
wait "$gone" 2>/dev/null || :
expect_code 66 "$HOLDFAST" run --json --owner "$gone" -- touch second
expect_json .error.cause owner-gone
for owner in 0 -1 none x 99999999999; do
  expect_code 64 "$HOLDFAST" run --owner "$owner" -- touch second
done
expect_code 64 "$HOLDFAST" run --name it --iterations 2 --owner parent -- touch second
expect_code 64 "$HOLDFAST" once k --owner parent -- touch second
[ ! -e second ] || fail 'it was started'
[ ! -e "$HOLDFAST_HOME/sessions/it" ] || fail 'it is on record'

printf 'a\0b' >in
: >err
for fd in 0:in 1:out 2:err; do echo "[ /proc/self/fd/${fd%:*} -ef ${fd#*:} ] || exit 9"; done >same
"$HOLDFAST" run --owner parent -- sh -c '. ./same; cat' <in >out 2>err || fail 'its streams are not those of the caller'
cmp in out || fail 'the streams were changed'
