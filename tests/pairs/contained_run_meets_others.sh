#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `--contain pidns` where it shares state with others. When its supervisor is killed, its locks come free only with its
# last process, nobody can adopt it, gc may take its record, and `resume` contains it again. What runs inside it takes
# locks, names, steps and workspaces as outside, and leaves none behind that nobody can judge.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/gc.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
without_groups
"$HOLDFAST" run --contain pidns -- true 2>"$stderr" || skip "no pid namespace here: $(cat "$stderr")"
contained() { "$HOLDFAST" run --contain pidns "$@"; }
free() {
  expect_code 0 "$HOLDFAST" locks "$1" --json
  expect_json .state free
}

# A lock: whoever gets it finds nobody of the tree, also none that left session, parent and environment.
# shellcheck disable=SC2016  # of the command
expect_code 0 contained --name held --lock L --detach -- sh -c 'trap "" TERM
  setsid env -i sh -c "trap \"\" TERM; echo up >up; while :; do sleep 0.05; done" & readlink /proc/self/ns/pid >namespace; exec sleep 1000'
until [ -s up ] && [ -s namespace ]; do sleep 0.05; done
expect_code 75 "$HOLDFAST" lock L -n -- true
kill -s KILL "$(record held .supervisor.pid)"
# shellcheck disable=SC2016  # of the command
expect_code 0 "$HOLDFAST" lock L -w 60 -- sh -c 'for link in /proc/[0-9]*/ns/pid; do
  [ "$(readlink "$link" 2>/dev/null)" != "$(cat namespace)" ] || cat "${link%/ns/pid}/stat"; done'
# The init may be a zombie until process 1 of the machine takes its status; its exe is gone.
grep -v ') [ZX] ' "$stdout" && fail 'somebody of the tree works on beside the next holder'
expect_code 0 "$HOLDFAST" wait held --until lost --timeout 20
expect_code 66 "$HOLDFAST" adopt held
expect_code 69 "$HOLDFAST" wait held
expect_code 0 "$HOLDFAST" resume held --detach
expect_record held .containment pidns
expect_code 75 "$HOLDFAST" lock L -n -- true
expect_code 0 "$HOLDFAST" stop held --grace 0
expect_code 0 "$HOLDFAST" wait held --until killed --timeout 20
free L

# Inside: a keeper, a wrapper, a named run and a step, and what is left of each outside.
# shellcheck disable=SC2016  # of the command
expect_code 0 contained -- sh -c '"$0" acquire a --owner $$ >/dev/null && "$0" locks a --json | grep -q "\"state\":\"held\"" && \
  "$0" lock b -- "$0" write f -- echo fenced && "$0" run --name inner -- true && "$0" once k -- true' "$HOLDFAST"
[ "$(cat f)" = fenced ] || fail 'nothing was written under the lock'
free a
free b
expect_code 0 "$HOLDFAST" lock a -n -- true
expect_code 0 "$HOLDFAST" show inner --json
expect_json .state exited
expect_code 0 "$HOLDFAST" once k --json -- false
expect_json .decision skipped

# A namespace that is killed under a holder inside, and under a run and a step in it.
# shellcheck disable=SC2016  # of the command
expect_code 0 contained --name dies --detach -- sh -c '"$0" acquire c --owner $$ >/dev/null
  "$0" run --name below --detach -- sleep 1000 2>refused || :
  "$0" run --name beside -- sleep 1000 & "$0" once crash -- sh -c "echo ran >>acts; echo up >up2; exec sleep 1000"' "$HOLDFAST"
until [ -s up2 ] && "$HOLDFAST" show beside --json 2>/dev/null | grep -q '"state":"running"'; do sleep 0.05; done
grep -q 'inside the session' refused || fail "a run inside was detached: $(cat refused)"
kill -s KILL "$(record dies .supervisor.pid)"
expect_code 0 "$HOLDFAST" wait dies --until lost --timeout 20
expect_code 0 "$HOLDFAST" lock c -w 60 -- true
expect_code 0 "$HOLDFAST" wait beside --until lost --timeout 20
expect_code 0 "$HOLDFAST" run --name beside -- true
code=0
"$HOLDFAST" once crash --json -- sh -c 'echo ran >>acts' >"$stdout" 2>"$stderr" || code=$?
case $code in 0 | 69) ;; *) fail "the step that died with the namespace: $code" ;; esac

# A series, each of its runs in a namespace; a limit that needs a group is refused, not dropped.
# shellcheck disable=SC2016  # of the command
expect_code 0 contained --name series --iterations 2 -- sh -c 'readlink /proc/self/ns/pid >>namespaces'
[ "$(grep -cvxF "$(readlink /proc/self/ns/pid)" namespaces)" -eq 2 ] || fail "not contained: $(cat namespaces)"
expect_code 125 contained --memory 500M -- touch limited
[ ! -e limited ] || fail 'it ran without its limit'

# A profile asks for it, and a typed word wins.
printf '[session.prof]\ncommand = ["readlink", "/proc/self/ns/pid"]\ncontain = "pidns"\n' >p.toml
expect_code 0 "$HOLDFAST" run --profile p.toml prof
expect_record prof .containment pidns
expect_code 0 "$HOLDFAST" run --profile p.toml --contain auto prof
[ "$(record prof .containment)" != pidns ] || fail 'the typed word did not win'

# A workspace whose owner was inside has none any more, and gc may take it.
# shellcheck disable=SC2016  # of the command
expect_code 0 contained -- sh -c '"$0" workspace new web --owner $$ >/dev/null && "$0" workspace end web --force >/dev/null' "$HOLDFAST"
expect_code 0 gc --json
expect_json '[.removed[].name] | index("web") != null' true
