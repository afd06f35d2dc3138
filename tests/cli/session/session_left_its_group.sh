#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command that has moved itself out of its control group and lost its supervisor is orphaned, not lost: its empty
# group proves nothing, and its name is not given to another run.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
group=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ -w "${group:-/no}/cgroup.procs" ] || skip 'nobody can leave a group here'

# shellcheck disable=SC2016
expect_code 0 "$HOLDFAST" run --detach --name left -- sh -c 'echo $$ >"$0/cgroup.procs" && echo out >out; exec sleep 1000' "$group"
[ "$(record left .containment)" = cgroup ] || skip 'no control group can be made here'
until [ -s out ]; do sleep 0.05; done
command=$(record left .command.pid)
kill -s KILL "$(record left .supervisor.pid)"
until "$HOLDFAST" show --json left | jq -e '.state == "orphaned"' >/dev/null; do sleep 0.05; done
expect_code 69 "$HOLDFAST" run --name left -- touch beside
[ ! -e beside ] || fail 'a second one ran beside it'
kill -s 0 "$command" || fail 'it was ended by a look'
kill -s KILL "$command"
