#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What was started below an attachment keeps the directory of the session, whichever process between the two is killed:
# the front end of a run, `attach` itself, a shell, the supervisor. When it has ended, the session is collected.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"
. "$(dirname -- "$0")/../../lib/lock_command.inc" # gone, wait_until
trap 'kill -s KILL $(cat -- *.pid 2>/dev/null) 2>/dev/null || :; remove_scratch' EXIT

# work: says that it is there, waits for a word, and needs its directory. It has none of the descriptors that it was given.
cat >work <<EOT
#!/bin/sh
for n in 3 4 5 6 7 8 9; do eval "exec \$n>&-"; done
echo \$\$ >'$PWD/work.pid'
echo up >'$PWD/up'
read -r word <'$PWD/go'
echo "\$word" >"\$1/result"
EOT
# front CMD…: as the command of an attachment, with its number on record, so that a kill finds it.
cat >front <<EOT
#!/bin/sh
echo \$\$ >'$PWD/front.pid'
exec "\$@"
EOT
chmod 755 work front
mkfifo up go

# begin NAME HOW…: a session that would go but for what runs below it; attached to it, `HOW… work`.
begin() {
  name=$1
  shift
  rm -f -- *.pid
  sleep 1000 &
  vouches=$!
  new "$name" --authority "process:$vouches"
  kill -s KILL "$vouches"
  wait "$vouches" || :
  "$HOLDFAST" workspace attach "$name" -- "$PWD/front" "$@" "$PWD/work" "$sessions/$name" >"$scratch/attach.out" 2>&1 </dev/null &
  attach=$!
  read -r line <up
  [ "$line" = up ] || fail "$line"
}
expect_kept() {
  expect_code 0 gc --trash-for 0 --json
  expect_reason kept "$name" attached
  [ -d "$sessions/$name" ] || fail "$name went while something works in it"
}
# finish: the work goes on to its end in its directory, and then the session goes.
finish() {
  work=$(cat work.pid)
  echo 'done' >go
  wait_until gone "$work"
  wait_until collected
}
collected() {
  expect_code 0 gc --trash-for 0 --json
  [ ! -e "$sessions/$name" ]
}
kill_front() {
  kill -s KILL "$(cat front.pid)"
  wait "$attach" || :
}

begin named "$HOLDFAST" run --name of-named -C "$sessions/named" --
kill_front
expect_kept
# Nobody else gets it as its owner either, and the person's word is heard.
expect_code 75 "$HOLDFAST" workspace attach named -- true
expect_stderr_contains "it has an owner"
finish
[ "$("$HOLDFAST" show of-named --json | jq -r .state)" = exited ] || fail 'the run did not come to its end'

begin unnamed "$HOLDFAST" run --
kill_front
expect_kept
finish

begin once "$HOLDFAST" once key-1 --
kill_front
expect_kept
finish

begin attempt "$HOLDFAST" attempt key-2 --max 3 --
kill_front
expect_kept
finish

begin iterations "$HOLDFAST" run --name of-series --iterations 1 --
kill_front
expect_kept
finish

begin under-lock "$HOLDFAST" lock L -- "$HOLDFAST" run --
kill_front
expect_kept
finish

# A run in a run: the inner one is told of another session, and stays below this one.
begin inner "$HOLDFAST" run --name outer -- "$HOLDFAST" run --name within --
kill_front
expect_kept
finish

# A detached one leaves its caller on purpose.
begin detached "$HOLDFAST" run --detach --name of-detached --
wait "$attach" || :
expect_kept
finish

# The supervisor dies as well: what the command is still there for is held by the command.
begin supervisor "$HOLDFAST" run --name orphan -C "$sessions/supervisor" --
kill_front
kill -s KILL "$("$HOLDFAST" show orphan --json | jq -r .supervisor_pid)"
if [ "$("$HOLDFAST" show orphan --json | jq -r .state)" = orphaned ]; then
  wait_until sh -c "[ \"\$('$HOLDFAST' show orphan --json | jq -r .state)\" != running ]"
  expect_kept
  finish
fi

# `attach` itself: then the command is there, as before; and then the command, too.
begin attach "$HOLDFAST" run --name of-attach --
kill -s KILL "$attach"
wait "$attach" || :
expect_kept
kill -s KILL "$(cat front.pid)"
expect_kept
finish

# Without an attachment, in the directory of a session whose ttl has passed.
new quiet --ttl 1ms
name=quiet
(cd "$sessions/quiet" && exec "$HOLDFAST" run --detach --name of-quiet -- "$scratch/work/work" "$sessions/quiet") >/dev/null </dev/null &
read -r line <up
wait
expect_kept
finish

# What cannot be read must not let a run begin unseen.
HOLDFAST_ATTACHED=nonsense expect_code 65 "$HOLDFAST" run -- true
HOLDFAST_ATTACHED='{"v":2}' expect_code 69 "$HOLDFAST" run -- true
