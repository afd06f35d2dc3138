#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# import sidecars, import pipeline-locks: each record has a verdict, nothing is written into it, twice is as once.
. "$(dirname -- "$0")/lib.sh"

verdict() { jq -r --arg n "$1" '.records[] | select(.name == $n) | .verdict + " " + .reason' <"$stdout"; }
expect_verdict() { [ "$(verdict "$1")" = "$2" ] || fail "$1 is $(verdict "$1"), not $2"; }
state_of() { (cd "$1" && find . -type f -exec sha256sum {} + | sort && stat -c '%n %Y %i' ./.*.lock ./*.lock 2>/dev/null | sort); }

# hold FILE: flocked by the process $holder, until let_go or the end of the test.
holder=
trap 'let_go; remove_scratch' EXIT
let_go() {
  [ -z "$holder" ] || { kill "$holder" && wait "$holder"; } 2>/dev/null || :
  holder=
}
hold() {
  rm -f ready
  flock -F "$1" sh -c 'echo >ready; exec sleep 60' &
  holder=$!
  tries=0
  until [ -s ready ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || fail 'the holder did not start'
    sleep 0.05
  done
}

mkdir side pipe
: >side/.free.lock
: >side/.busy.lock
echo 'what is this' >side/.odd.lock
ln -s ../elsewhere side/.link.lock
mkdir side/.dir.lock
: >side/other.lock
hold side/.busy.lock

before=$(state_of side)
expect_code 65 "$HOLDFAST" import sidecars side --json
expect_json '[.applied, .counts.importable, .counts.held, .counts.refused, .counts.corrupt] | join(" ")' 'false 1 1 2 1'
expect_verdict free 'importable free'
expect_verdict busy 'held flocked'
expect_json '.records[] | select(.name == "busy") | .pid' "$holder"
expect_verdict odd 'corrupt not-a-record'
expect_verdict link 'refused is-link'
[ ! -e "$HOLDFAST_HOME" ] || fail 'a plan has written into the home'
[ "$(state_of side)" = "$before" ] || fail 'a plan has changed the sources'
expect_code 65 "$HOLDFAST" import sidecars side --apply --json
expect_verdict free 'imported free'
expect_code 65 "$HOLDFAST" import sidecars side/ --apply --json
expect_verdict free 'already free'
[ "$("$HOLDFAST" journal count --type import.done)" -eq 1 ] || fail 'once and again is not once'
[ "$(state_of side)" = "$before" ] || fail 'the sources were changed'
# It is holdfast's lock now: the same file.
expect_code 1 "$HOLDFAST" lock -n --file side/free -- flock -n side/.free.lock true
let_go

# A number that nobody has, one that is in use, one that is cut off, bare ones, one of another machine, and one that is
# flocked whatever it says: an agent that outlived its engine may have it.
sh -c 'exit 0' &
dead=$!
wait "$dead"
printf '{"session":"a","pid":%s,"started_at":"2026-01-01T00:00:00Z","host":"%s"}' "$dead" "$(uname -n)" >pipe/dead.lock
printf '{"session":"b","pid":%s,"started_at":"2026-01-01T00:00:00Z"}' $$ >pipe/live.lock
printf '{"session":"c","pid":' >pipe/torn.lock
: >pipe/empty.lock
printf '{"session":"d","pid":1,"host":"some-other-box"}' >pipe/foreign.lock
printf '%s\n' "$dead" >pipe/bare.lock
printf '%s\n' $$ >pipe/bare-live.lock
printf '{"session":"e","pid":%s}' "$dead" >pipe/flocked.lock
hold pipe/flocked.lock
done_before=$("$HOLDFAST" journal count --type import.done)
expect_dead() {
  case $(verdict "$1") in "$2 no-such-process" | "$2 recycled" | "$2 pidfd-ended") ;; *) fail "$1 is $(verdict "$1")" ;; esac
}
expect_others() {
  expect_verdict live 'unknown pid-in-use'
  expect_verdict bare-live 'unknown pid-in-use'
  expect_verdict empty 'unknown empty'
  expect_verdict foreign 'unknown other-host'
  expect_verdict flocked 'held flocked'
  expect_json '.records[] | select(.name == "flocked") | .pid' "$holder"
  [ "$(state_of pipe)" = "$before" ] || fail 'the sources were changed'
}
before=$(state_of pipe)
expect_code 65 "$HOLDFAST" import pipeline-locks pipe --json
expect_dead dead importable
expect_dead bare importable
expect_verdict torn 'corrupt no-pid'
expect_others
[ "$("$HOLDFAST" journal count --type import.done)" -eq "$done_before" ] || fail 'a plan was put on record'
expect_code 65 "$HOLDFAST" import pipeline-locks pipe --apply --json
expect_dead dead imported
expect_dead bare imported
expect_verdict torn 'corrupt no-pid'
expect_others
[ "$("$HOLDFAST" journal count --type import.done)" -eq $((done_before + 2)) ] || fail 'not these two are on record'
rm pipe/torn.lock
before=$(state_of pipe)
expect_code 69 "$HOLDFAST" import pipeline-locks pipe --apply --json
expect_dead dead already
expect_dead bare already
expect_others
[ "$("$HOLDFAST" journal count --type import.done)" -eq $((done_before + 2)) ] || fail 'once and again is not once'
let_go
# Nobody has it any more: what stands in it counts.
expect_code 69 "$HOLDFAST" import pipeline-locks pipe --json
expect_dead flocked importable
expect_code 66 "$HOLDFAST" import pipeline-locks side/.dir.lock
ln -s pipe linked
expect_code 77 "$HOLDFAST" import pipeline-locks linked
