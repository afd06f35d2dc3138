#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Without a control group the end of an orphan is never claimed: what is found is ended, the answer is 69, the name
# stays taken, until a person closes it; and that is refused while somebody is seen alive.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
without_groups

cat >tree <<'END'
trap "" TERM
setsid sleep 600 &
(setsid sleep 601 &)
echo ready
while :; do sleep 602; done
END
orphan tree -- sh ./tree
[ -z "$orphan_group" ] || fail "there is a group: $orphan_group"
expect_code 77 "$HOLDFAST" stop tree --assume-gone --reason 'I think so' --json
expect_json .outcome refused
expect_json .evidence seen-alive
expect_code 69 "$HOLDFAST" stop tree --grace 200ms --json
expect_json .outcome unproven
expect_json .state orphaned
[ "$(json_field .ended)" -ge 3 ] || fail 'they were not all ended'
[ -z "$(carriers "$orphan_run")" ] || fail "left: $(carriers "$orphan_run")"
expect_code 69 "$HOLDFAST" stop tree
expect_code 69 "$HOLDFAST" run --name tree -- true
expect_code 69 "$HOLDFAST" resume tree
expect_record tree .state orphaned
expect_code 0 "$HOLDFAST" stop tree --assume-gone --reason 'looked with ps' --json
expect_json .state lost
expect_record tree .reason assumed-gone
expect_record tree .detail 'looked with ps'
expect_code 66 "$HOLDFAST" stop tree
expect_code 0 "$HOLDFAST" run --name tree -- true

# Who forks faster than anybody can look is not ended for sure, and never called ended; the answer comes all the same.
orphan storm -- sh -c 'storm() { sleep 0.02; [ -e calm ] || (storm &); }; storm & exec sleep 600'
code=0
timeout 60 "$HOLDFAST" stop storm --grace 0 --wait 2s >"$stdout" 2>"$stderr" || code=$?
case $code in 69 | 72) ;; *) fail "storm: $code" ;; esac
expect_record storm .state orphaned
: >calm
until [ -z "$(carriers "$orphan_run")" ]; do sleep 0.1; done
expect_code 0 "$HOLDFAST" stop storm --assume-gone --reason 'it is calm'
