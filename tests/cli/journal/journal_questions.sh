#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Questions as people type them: `--where name=x` is a field of the data, an unknown field is 64 with the nearest one, and
# times are of the local zone. `append` says what it did.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 64 "$HOLDFAST" journal query --where namex=x
expect_stderr_contains 'did you mean name?'
[ ! -e "$HOLDFAST_HOME" ] || fail 'a question made a home'
expect_code 0 "$HOLDFAST" run --name nightly --no-log -- true
append x.deploy '{"host":"db1","type":"blue"}'

count_is() {
  wanted=$1
  shift
  expect_code 0 "$HOLDFAST" journal query --json "$@"
  [ "$(wc -l <"$stdout")" -eq "$wanted" ] || fail "not $wanted: $*"
}
count_is 0 --where name=other
expect_code 0 "$HOLDFAST" journal count --where name=nightly
[ "$(cat "$stdout")" -ge 3 ] || fail 'the events of a session are not found by its name'
count_is 1 --where host=db1
count_is 1 --where data.type=blue
count_is 0 --where type=blue
expect_code 0 "$HOLDFAST" journal count --by host
expect_stdout_contains db1

# A field that nothing has; of a type that cannot have it, too. With `data.` it is a note.
expect_code 64 "$HOLDFAST" journal query --where hots=db1
expect_no_stdout
expect_stderr_contains "no event has a field 'hots'"
expect_code 64 "$HOLDFAST" journal count --by namex
expect_stderr_contains 'did you mean name?'
expect_code 64 "$HOLDFAST" journal query --type 'gc.*' --where host=db1
expect_code 64 "$HOLDFAST" journal export --where namex!=x
expect_code 0 "$HOLDFAST" journal query --where data.namex=x
expect_stderr_contains 'did you mean name?'

# Days and times of the local zone, also for other options that take a moment.
for since in today yesterday '2026-01-01 14:00' 2026-01-01; do count_is 1 --where host=db1 --since "$since"; done
count_is 0 --where host=db1 --until yesterday
TZ=EET-2 expect_code 64 "$HOLDFAST" journal query --since '2026-11-01 12:00' --until 2026-11-01T09:59Z
TZ=EET-2 expect_code 0 "$HOLDFAST" journal query --since '2026-11-01 12:00' --until 2026-11-01T10:01Z
expect_code 64 "$HOLDFAST" journal query --since tomorrow
expect_stderr_contains yesterday

expect_code 0 "$HOLDFAST" journal append --type x.a --data '{}'
grep -qx '[0-9]*' "$stdout" || fail 'no bare number for a script'
expect_code 0 "$HOLDFAST" journal append -q --type x.a --data '{}'
expect_no_stdout
command -v script >/dev/null || skip 'script(1) is not installed'
export HOLDFAST
# shellcheck disable=SC2016
script -qec 'stty cols 80; "$HOLDFAST" journal append --type x.a --class decision --data {}' /dev/null </dev/null >"$stdout" 2>&1 || fail 'script failed'
grep -q 'recorded x.a as event [0-9]*, on stable storage' "$stdout" || fail 'no sentence for a person'
