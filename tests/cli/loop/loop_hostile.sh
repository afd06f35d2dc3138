#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What happens to a loop from outside: clocks that are set, records that go or cannot be read, signals at bad moments.
. "$(dirname -- "$0")/../../lib/loop.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
make_world
loop_file 'every = "100ms"'
session=$HOLDFAST_HOME/sessions

# The wall clock is set back during a run: its end is before its beginning.
items clock
expect_code 0 "$HOLDFAST" loop fix.toml --no-wait
"$HOLDFAST" wait fix-clock >/dev/null
jq -c '.started = "2030-01-01T00:00:00.000Z" | del(.crc32c)' "$session/fix-clock/session.json" >edited
cat edited >"$session/fix-clock/session.json"
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item clock 'done'
[ "$("$HOLDFAST" loop status fix.toml --json 2>/dev/null | jq .day.time_ms)" -ge 0 ] || fail 'the time of the day'

# The session of a run is removed while it runs: the pass ends, the world is asked, nothing is left.
items gone
mkfifo gate
script agent <<'X'
echo "run $1" >>story
read -r _ <gate
X
"$HOLDFAST" loop fix.toml --once >/dev/null 2>once.err &
loop=$!
until [ "$(how_often 'run gone')" -eq 1 ]; do kill -0 "$loop" || fail "$(cat once.err)"; done
remove_session "$session/fix-gone"
echo go >gate
wait "$loop" || fail "the pass: $(cat once.err)"
expect_times 1 'verify gone no'
expect_item gone waiting

# A record that cannot be read: the item keeps its place, says why, and a person gets it out.
items unread
expect_code 0 "$HOLDFAST" loop fix.toml --no-wait
until [ "$(how_often 'run unread')" -eq 1 ]; do :; done
cp "$session/fix-unread/session.json" kept
echo garbage >"$session/fix-unread/session.json"
expect_code 0 "$HOLDFAST" loop fix.toml --once
expect_item unread running
[ "$(item unread .reason)" = cannot-tell ] || fail "$(item unread .reason)"
expect_code 75 "$HOLDFAST" loop retry fix.toml unread
cat kept >"$session/fix-unread/session.json"
expect_code 75 "$HOLDFAST" loop retry --force fix.toml unread
echo go >gate
"$HOLDFAST" wait fix-unread >/dev/null || :
echo garbage >"$session/fix-unread/session.json"
expect_code 0 "$HOLDFAST" loop 'done' --force fix.toml unread --reason 'seen to by hand'
expect_item unread 'done'

# Asked to end while the source is asked, and while it waits.
items
mkfifo source-gate
echo 'cat source-gate' >source.sh
sed 's|^source = .*|source = "echo asked >>asked; sh source.sh"|' fix.toml >other && mv other fix.toml
"$HOLDFAST" loop fix.toml >/dev/null 2>&1 &
loop=$!
until [ -s asked ]; do kill -0 "$loop" || fail 'it ended'; done
kill -TERM "$loop"
code=0
wait "$loop" || code=$?
[ "$code" -eq 143 ] || fail "asked to end while the source is asked: $code"

# The log is lost: that is no new loop.
echo 'cat items' >source.sh
items clock
rm "$HOLDFAST_HOME/loops/fix/items.log"
: >story
expect_code 65 "$HOLDFAST" loop fix.toml --once
[ ! -s story ] || fail 'what was done is done again'
