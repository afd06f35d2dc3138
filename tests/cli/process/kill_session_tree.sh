#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `kill NAME --tree` of a session in a control group ends all of it and says so on the kernel's word.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# shellcheck disable=SC2016
expect_code 0 "$HOLDFAST" run --detach --name tree -- sh -c 'setsid sh -c "trap \"\" TERM; echo \$\$ >left; while :; do sleep 0.1; done" & wait'
until [ -s left ]; do sleep 0.05; done
[ "$(record tree .containment)" = cgroup ] || skip 'no control group can be made here'
expect_code 0 "$HOLDFAST" kill tree --tree --grace 200ms --json
expect_json .outcome killed
expect_json .evidence cgroup-empty
wait_for_end tree  # which also reaps them
if kill -s 0 "$(cat left)" 2>/dev/null; then fail 'somebody is left'; fi
expect_record tree .state killed
