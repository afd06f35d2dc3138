#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A clean-up and its supervisor are killed during a rescue, and the rescue goes on: the next clean-up leaves the session
# alone as long as a process of it lives, what it put into the background included.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

mkfifo up go
exec 8<>go # so that no writer waits for a reader
export go="$PWD/go" up="$PWD/up" pids="$PWD/pids"
: >pids
# shellcheck disable=SC2046 # numbers
trap 'kill -s KILL $(cat "$pids") 2>/dev/null || :; remove_scratch' EXIT
# killed NAME [OPTION…]: gc with a rescue that waits in the background; gc and whoever supervises the rescue are killed.
killed() {
  "$HOLDFAST" gc --grace 0 --rescue 'echo $$ >>"$pids"; setsid sh -c "echo \$\$ | tee -a $pids >pid; echo up >$up; read -r _ <$go; touch saved" & wait' "$@" >/dev/null 2>&1 &
  gc=$!
  read -r _ <up
  kill -s STOP "$gc"
  # Not awk: it gives up at the first process that ends meanwhile.
  # shellcheck disable=SC2046 # numbers
  kill -s KILL $(grep -l "^PPid:[[:space:]]*$gc\$" /proc/[0-9]*/status 2>/dev/null | cut -d / -f 3) "$gc"
  wait "$gc" 2>/dev/null || :
}

# A workspace.
ended work
killed
[ -d "$sessions/work" ] || fail 'it went during its rescue'
kill -s 0 "$(cat "$sessions/work/pid")" || skip 'the rescue went with its clean-up'
expect_code 0 gc --json
expect_reason kept work busy
[ -d "$sessions/work" ] || fail 'it went beside a rescue that was at work'
rescue=$(cat "$sessions/work/pid")
echo go >&8
while kill -s 0 "$rescue" 2>/dev/null; do sleep 0.05; done
expect_code 0 gc --json
expect_reason removed work ended

# A session of `holdfast run`.
expect_code 0 "$HOLDFAST" run --name over -- true
killed --runs --max-age 0
[ -d "$sessions/over" ] || fail 'the run went during its rescue'
expect_code 0 gc --runs --max-age 0 --json
expect_reason kept over busy
rescue=$(cat "$sessions/over/pid")
echo go >&8
while kill -s 0 "$rescue" 2>/dev/null; do sleep 0.05; done
expect_code 0 gc --runs --max-age 0 --json
[ ! -d "$sessions/over" ] || fail 'it stayed for ever'
