#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `logs -f` goes through rotations, loses nothing, and ends with the session or with its reader.
. "$(dirname -- "$0")/../../lib/sessions.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_sleepers
umask 077

sleeper
put_session x running "$sleeper"
dir=$(session_dir x)
mkfifo pipe
"$HOLDFAST" logs -f x >pipe &
follower=$!
exec 4<pipe

# Each line is read before the next one is written, so nothing is waited for by time.
step() {
  printf '%s\n' "$1" >>"$dir/out.log"
  read -r line <&4
  [ "$line" = "$1" ] || fail "followed '$line', not '$1'"
}
step first
step second
mv "$dir/out.log" "$dir/out.log.1"
step third
printf 'fourth\n' >>"$dir/out.log"
mv "$dir/out.log" "$dir/out.log.1"
read -r line <&4
[ "$line" = fourth ] || fail "followed '$line', not 'fourth'"
step fifth
printf 'last, without an end' >>"$dir/out.log"
put_session x exited "$sleeper" '.exit_code = 0'
[ "$(cat <&4)" = 'last, without an end' ] || fail 'the end is not complete'
wait "$follower" || fail "the follower ended with $?"

# One whose reader goes away ends, though nothing more is printed.
put_session y running "$sleeper"
echo line >"$(session_dir y)/out.log"
"$HOLDFAST" logs -f y 2>"$stderr" | head -n 1 >"$stdout"
expect_stdout_is line
expect_no_stderr

# What an orphan prints is not kept.
put_session z running "$sleeper"
echo line >"$(session_dir z)/out.log"
"$HOLDFAST" logs -f z >"$stdout" 2>"$stderr" &
follower=$!
end_one "$sleeper"
wait "$follower" || fail "of an orphan: $?"
expect_stdout_is line
expect_stderr_contains 'supervisor is gone'
