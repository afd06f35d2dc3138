#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The machine went down while a step ran: `once` without --verify does it again and says so. Of another machine nothing is
# known; a session that was removed, or never made, is told apart. (power_cut_in_a_step.sh shows the rest on a disk.)
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

[ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] || skip 'in a container no boot is proven'
[ -s /etc/machine-id ] || skip 'nothing names this machine'
make_gate
before='"00112233445566778899aabbccddeeff"'
# went_down KIND KEY [OPTION…]: a run that is under way, as its records look after a reboot. The run itself goes on here.
went_down() {
  "$HOLDFAST" "$@" -- ./gated >/dev/null 2>&1 &
  wait_up
  cp "$(step_file "$1" "$2")" step.json
  cp "$(step_session "$1" "$2")" session.json
  open_gate 1
  wait $! || :
  cat step.json >"$(step_file "$1" "$2")"
  cat session.json >"$(step_session "$1" "$2")"
  change "$(step_file "$1" "$2")" ".pending.by.boot = $before | .pending.since.boot = $before"
  change "$(step_session "$1" "$2")" ".supervisor.boot = $before | .command.boot = $before"
  rm -f ran
}
went_down once k
expect_code 0 "$HOLDFAST" step show --kind once k --json
expect_json .state unsure
expect_code 0 "$HOLDFAST" once k --json -- sh -c 'echo ran >>ran'
expect_json .repeated true
expect_runs 1

# Of another machine nothing is known, and nothing is begun.
went_down once far
other='"ffeeddccbbaa99887766554433221100"'
change "$(step_file once far)" ".pending.by.machine = $other"
change "$(step_session once far)" ".supervisor.machine = $other"
expect_code 69 "$HOLDFAST" once far --json -- touch ran
expect_json .error.cause step-unknown
expect_code 69 "$HOLDFAST" step show --kind once far
expect_code 69 "$HOLDFAST" step forget --kind once far
[ ! -e ran ] || fail 'it ran though nobody can tell'

# Its session was removed before anybody counted it.
went_down once gone
rm -r "$HOLDFAST_HOME/sessions/once%3Agone"
expect_code 0 "$HOLDFAST" once gone --json -- sh -c 'echo ran >>ran'
expect_json .repeated true
# It never came to its session.
went_down attempt never --max 1
rm -r "$HOLDFAST_HOME/sessions/attempt%3Anever"
change "$(step_file attempt never)" '.pending.reserved = false'
expect_code 4 "$HOLDFAST" attempt never --max 1 --json -- sh -c 'exit 4'
expect_json .repeated false
expect_json .attempts 1
