#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# With --once-per-streak the first failure in a row is told, and then the first success; what could not be told is told by
# the next; a run whose supervisor was killed counts, and its streak goes on.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# shellcheck disable=SC2016  # for the shell of the options
night() { # night CODE COMMAND…
  code=$1
  shift
  expect_code "$code" "$HOLDFAST" run --name backup --once-per-streak \
    --on-failure 'echo "failed $HOLDFAST_STREAK" >>mails; [ ! -e down ]' \
    --on-success 'echo "works" >>mails; [ ! -e down ]' -- "$@"
}
mails_are() { [ "$(tr '\n' ',' <mails)" = "$1" ] || fail "mails: $(cat mails)"; }
: >mails
night 0 true
mails_are ''
night 1 false
night 1 false
night 127 ./no-such-program
mails_are 'failed 1,'
night 0 true
night 0 true
mails_are 'failed 1,works,'

# The mail server is down: the next one tries again.
: >mails
: >down
night 1 false
night 1 false
rm down
night 1 false
night 1 false
: >down
night 0 true
rm down
night 0 true
night 0 true
mails_are 'failed 1,failed 2,failed 3,works,works,'

# A supervisor that is killed tells nobody; the next failure does, and says how many there were.
: >mails
mkfifo up
"$HOLDFAST" run --detach --name backup --contain pidns --once-per-streak --on-failure 'echo never >>mails' \
  -- sh -c 'echo >up; exec sleep 600' >/dev/null 2>&1 || skip 'no pid namespaces here'
read -r _ <up
expect_code 0 "$HOLDFAST" show --json backup
kill -KILL "$(json_field .supervisor)"
until "$HOLDFAST" show --json backup | jq -e '.state == "lost"' >/dev/null; do :; done
night 1 false
night 1 false
night 0 true
mails_are 'failed 2,works,'

# Without a name there is no streak.
expect_code 64 "$HOLDFAST" run --once-per-streak --on-failure true -- true
expect_stderr_contains 'without --name'
expect_code 64 "$HOLDFAST" run --name x --once-per-streak -- true
