#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What was under way when the machine went down is lost, provably; also what the disk calls reserved.
. "$(dirname -- "$0")/../../lib/sessions.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_sleepers

[ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] || skip 'in a container no boot is proven'
[ -s /etc/machine-id ] || skip 'nothing names this machine'
sleeper
before='.supervisor.boot = "00112233445566778899aabbccddeeff"'
put_session ran running "$sleeper" "$before"
put_session waited reserved "$sleeper" "$before"
expect_code 0 "$HOLDFAST" show ran --json
expect_json .state lost
expect_json .evidence other-boot
expect_code 69 "$HOLDFAST" wait ran --json
expect_json .error.cause lost
expect_code 0 "$HOLDFAST" show waited --json
expect_json .state lost
expect_code 69 "$HOLDFAST" wait waited
expect_code 0 "$HOLDFAST" ps
expect_no_stdout
# Of another machine nothing is known.
put_session far running "$sleeper" "$before | .supervisor.machine = \"ffeeddccbbaa99887766554433221100\""
expect_code 69 "$HOLDFAST" show far --json
expect_json .state running
