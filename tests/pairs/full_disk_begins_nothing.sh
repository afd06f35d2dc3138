#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On a full disk no run, iteration, item, step or workspace begins and no lock is granted; a clean-up and the trash leave
# each directory whole; what ends something (`stop`, `kill`, `release`) works, or ends nothing and says so; a file keeps its
# old content. With room again everything is as it was.
# label: system
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
mkdir small
mount -t tmpfs -o size=1m,mode=0700 none small 2>/dev/null || skip 'mounting a tmpfs is not allowed here'
trap '"$HOLDFAST" stop o p q --grace 0 >/dev/null 2>&1 || :; umount small; remove_scratch' EXIT
HOLDFAST_HOME=$PWD/small/home
sessions=$HOLDFAST_HOME/sessions

# ended NAME: a workspace that a clean-up takes.
ended() {
  "$HOLDFAST" workspace new "$1" --owner none >/dev/null
  echo "$1" >"$sessions/$1/data"
  "$HOLDFAST" workspace detach "$1" --force -q
  "$HOLDFAST" workspace end "$1" -q
}
ended gone
expect_code 0 "$HOLDFAST" gc --grace 0 -q
ended old
expect_code 5 "$HOLDFAST" run --name again -- sh -c 'echo ran >>ran; exit 5'
rm ran
for name in o p q; do orphan "$name" -- sleep 600; done
lease=$("$HOLDFAST" acquire lease --ttl 1h --owner none)
cat >loop.toml <<'X'
[loop]
source = "echo '{\"id\":\"i\"}'"
run = ["touch", "ran"]
X
cat >holdfast.toml <<'X'
[session.agent]
command = "touch ran"
X
echo text >text
for file in written blocks entries.jsonl; do echo '{"old":1}' >"small/$file"; done
# What fails may give room back; that goes as well.
fill() { head -c 2000000 /dev/zero >>small/fill 2>/dev/null || :; }
fill

# refused CODE COMMAND…
refused() {
  fill
  expect_code "$@" <text
  expect_stderr_contains 'No space left on device'
  [ ! -e ran ] || fail "it ran: $*"
}
refused 125 "$HOLDFAST" run --name n -- touch ran
refused 125 "$HOLDFAST" run --detach --name n -- touch ran
refused 125 "$HOLDFAST" run --name s --iterations 2 -- touch ran
refused 125 "$HOLDFAST" run --profile agent
refused 125 "$HOLDFAST" resume again
refused 125 "$HOLDFAST" once k -- touch ran
refused 125 "$HOLDFAST" attempt k --max 2 -- touch ran
refused 125 "$HOLDFAST" notify k -- touch ran
refused 125 "$HOLDFAST" lock x -- touch ran
refused 2 "$HOLDFAST" --hook lock x -- touch ran
refused 2 "$HOLDFAST" --hook run --profile agent
# If the disk still takes the loop's own notes, the pass runs, and its item is for later.
code=0
"$HOLDFAST" loop loop.toml --once >"$stdout" 2>"$stderr" || code=$?
case $code in
  74) ;;
  0) expect_stderr_contains 'is tried again later' ;;
  *) fail "exit code $code: loop" ;;
esac
expect_stderr_contains 'No space left on device'
[ ! -e ran ] || fail 'an item ran'
refused 74 "$HOLDFAST" acquire x --owner $$
refused 74 "$HOLDFAST" workspace new young --owner none
refused 74 "$HOLDFAST" trash restore gone
"$HOLDFAST" gc --grace 0 >/dev/null 2>&1 || :
whole=$(cat "$sessions"/old/data "$sessions"/.holdfast-trash/old.*/data 2>/dev/null || :)
[ "$whole" = old ] || fail "gc left it neither here nor there: $whole"

head -c 400000 /dev/zero | tr "\0" x >large
refused 74 "$HOLDFAST" write small/written --from large
refused 74 "$HOLDFAST" update small/written -- cat large
refused 74 "$HOLDFAST" block put small/blocks --id b --from large
jq -cRs '{big: .}' large >text
refused 74 "$HOLDFAST" ledger append small/entries.jsonl
for file in written blocks entries.jsonl; do [ "$(cat "small/$file")" = '{"old":1}' ] || fail "$file was changed"; done
# ends NAME COMMAND…: 0 only if the command of the session is gone.
ends() {
  work=$(record "$1" .command.pid)
  shift
  code=0
  "$HOLDFAST" "$@" >"$stdout" 2>"$stderr" || code=$?
  [ "$code" -ne 0 ] || ! grep -q '^State:.[RSD]' "/proc/$work/status" 2>/dev/null || fail "0, and it lives: $*"
}
"$HOLDFAST" adopt o >/dev/null 2>&1 || :
ends o stop o --grace 0
ends p stop p --grace 0
ends q kill q --tree
expect_code 0 "$HOLDFAST" renew lease --token "$lease"
expect_code 0 "$HOLDFAST" release lease --token "$lease"

rm small/fill
for name in o p q; do
  "$HOLDFAST" stop "$name" --grace 0 >/dev/null 2>&1 || :
  expect_code 0 "$HOLDFAST" run --name "$name" -- true
done
for name in n s; do expect_code 0 "$HOLDFAST" run --name "$name" -- true; done
expect_code 66 "$HOLDFAST" workspace get young
expect_code 5 "$HOLDFAST" resume again
expect_code 0 "$HOLDFAST" trash restore gone
[ "$(cat "$sessions/gone/data")" = gone ] || fail 'what came back is not whole'
expect_code 0 "$HOLDFAST" journal verify
