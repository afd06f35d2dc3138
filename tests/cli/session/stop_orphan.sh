#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An orphan with a control group is ended as a whole and provably, whatever its tree does: setsid, a double fork,
# an empty environment, TERM ignored, processes that come and go all the time.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >tree <<'END'
trap "" TERM
setsid sleep 600 &
(sleep 601 &)
(env -i setsid sleep 602 &)
storm() { sleep 0.01; (storm &); }
storm &
echo ready
while :; do sleep 603; done
END
orphan tree -- sh ./tree
need_group
expect_code 0 "$HOLDFAST" stop tree --grace 200ms --json
expect_json .outcome killed
expect_json .state lost
expect_json .evidence cgroup-empty
expect_group_gone
expect_record tree .reason stopped
expect_code 66 "$HOLDFAST" stop tree
for type in session.orphaned session.stopping session.ended process.killed; do
  [ "$("$HOLDFAST" journal count --type "$type")" -eq 1 ] || fail "$type is not there once"
done

# TERM is enough for who acts on it, and the name is free again.
orphan polite -- sh -c 'trap "echo bye >bye; exit" TERM; echo >armed; while :; do sleep 0.1; done'
until [ -e armed ]; do sleep 0.05; done
expect_code 0 "$HOLDFAST" stop polite
[ -s bye ] || fail 'KILL came without TERM'
expect_code 0 "$HOLDFAST" run --name polite -- true

# Its command is gone, something that it left behind is not.
orphan left -- sh -c 'setsid sleep 600 & exec sleep 601'
kill -s KILL "$(record left .command.pid)"
expect_code 0 "$HOLDFAST" stop left --json
expect_json .state lost
expect_group_gone

# One of its own processes asks: it would not live to tell.
mkfifo go
orphan own -- sh -c 'read -r _ <go; "$0" stop own --json >said; echo $? >code; sleep 600' "$HOLDFAST"
echo >go
until [ -s code ]; do sleep 0.05; done
[ "$(cat code)" -eq 77 ] || fail "from inside: $(cat code said)"
[ "$(jq -r .evidence said)" = caller-in-tree ] || fail "$(cat said)"
expect_code 0 "$HOLDFAST" stop own --grace 0
expect_group_gone

# The supervisor dies while it is asked: what it leaves is ended all the same.
"$HOLDFAST" run --detach --name dying -- sh -c 'trap "" TERM; echo >deaf; while :; do sleep 600; done' >/dev/null
until [ -e deaf ]; do sleep 0.05; done
supervisor=$(record dying .supervisor.pid)
orphan_group=$(record dying .cgroup.path)
"$HOLDFAST" stop dying --grace 5s --json >said 2>&1 &
stopper=$!
"$HOLDFAST" wait dying --until stopping
kill -s KILL "$supervisor"
"$HOLDFAST" wait dying --until orphaned || :
wait "$stopper" || fail "the stopper: $(cat said)"
expect_group_gone

# Without a journal nothing is done.
orphan kept -- sleep 600
mv "$HOLDFAST_HOME/journal" "$scratch/journal"
: >"$HOLDFAST_HOME/journal"
code=0
"$HOLDFAST" stop kept >"$stdout" 2>"$stderr" || code=$?
[ "$code" -ne 0 ] || fail 'it was stopped without a record of the decision'
kill -s 0 "$(record kept .command.pid)" || fail 'somebody was signalled without a record of it'
rm "$HOLDFAST_HOME/journal"
mv "$scratch/journal" "$HOLDFAST_HOME/journal"
expect_code 0 "$HOLDFAST" stop kept
expect_group_gone
