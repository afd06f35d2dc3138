#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run --owner: when the owner ends, however, the whole tree ends, though its streams stay open; an exec of the owner changes
# nothing; in the foreground, detached, with a terminal and in a pid namespace.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo up in
# A server as an agent starts it: it reads its standard input, which somebody else holds open.
cat >server <<'SH'
#!/bin/sh
trap '' HUP
sleep 600 &
echo "$$ $!" >up
cat >/dev/null
wait
SH
chmod +x server
exec 9<>in
gone() {
  tries=0
  while kill -0 "$1" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || fail "process $1 lives on"
    sleep 0.1
  done
}
# agent OPTION…: a program that starts the server and is killed then.
agent() {
  sh -c '"$HOLDFAST" run --owner parent "$@" -- ./server <in & wait' agent "$@" 9>&- &
  agent=$!
  read -r server child <up
  kill -0 "$server" "$child" || fail 'the server does not run'
}
for how in KILL TERM; do
  agent --name "of-$how" --no-log
  kill -s $how "$agent"
  gone "$server"
  gone "$child"
  wait "$agent" 2>/dev/null || :
  wait_for_end "of-$how"
  expect_record "of-$how" .reason owner-gone
  expect_record "of-$how" .asked.by "the end of its owner, process $agent"
  code=0
  "$HOLDFAST" wait "of-$how" || code=$?
  [ "$code" -eq 143 ] || fail "wait answers $code"
done
expect_code 0 "$HOLDFAST" journal query --type process.killed --json
[ "$(jq -r 'select(.data.name == "of-KILL") | .data.reason' "$stdout")" = owner-gone ] || fail 'the kill is not in the journal'
# Without a name nothing is recorded, and the tree ends all the same.
agent
kill -s KILL "$agent"
gone "$server"
gone "$child"

# An owner by number, detached; it becomes another program meanwhile, and is the same owner.
mkfifo step
sh -c 'read -r _ <step; exec sleep 600' &
owner=$!
expect_code 0 "$HOLDFAST" run -d --name back --owner "$owner" -- ./server
read -r server child <up
echo >step
tries=0
until [ "$(tr '\0' ' ' <"/proc/$owner/cmdline")" = 'sleep 600 ' ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || fail 'it does not exec'
  sleep 0.1
done
expect_code 0 "$HOLDFAST" show back --json
expect_json .state running
expect_json .owner "$owner"
kill -s KILL "$owner"
wait_for_end back
gone "$server"
expect_record back .reason owner-gone

# A terminal, and a pid namespace.
agent --name tty --pty
kill -s KILL "$agent"
wait_for_end tty
expect_record tty .reason owner-gone
sleep 600 &
owner=$!
if "$HOLDFAST" run -d --name contained --contain pidns --owner "$owner" -- sleep 600 >/dev/null 2>&1; then
  kill -s KILL "$owner"
  wait_for_end contained
  expect_record contained .reason owner-gone
fi

# The grace is kept, and a command that ends by itself does not wait for its owner.
expect_code 3 "$HOLDFAST" run --owner $$ -- sh -c 'exit 3'
sleep 600 &
owner=$!
expect_code 0 "$HOLDFAST" run -d --name deaf --grace 100ms --owner "$owner" -- sh -c 'trap "" TERM; echo >up; while :; do sleep 600; done'
read -r _ <up
kill -s KILL "$owner"
wait_for_end deaf
expect_record deaf .signal 9
