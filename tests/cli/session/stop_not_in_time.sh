#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A supervisor that has not ended its session within --wait: `stop` does nothing more and says 69, `unproven`; the session
# is not called over, and its name stays taken until the supervisor has ended it.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo up
"$HOLDFAST" run --detach --name a -- sh -c 'trap "" TERM; echo >up; while :; do sleep 600; done' >/dev/null
read -r _ <up
expect_code 69 "$HOLDFAST" stop a --grace 1h --wait 200ms --json
expect_json .outcome unproven
expect_json .evidence not-ended
kill -0 "$(record a .command.pid)" || fail 'it was killed within its grace'
expect_record a .state stopping
expect_code 75 "$HOLDFAST" run --name a -- touch ran
expect_code 75 "$HOLDFAST" wait a --timeout 0
[ ! -e ran ] || fail 'two of one name'
# Asked again with less patience, it ends.
expect_code 0 "$HOLDFAST" stop a --grace 0 --json
expect_json .outcome killed
expect_record a .state killed
