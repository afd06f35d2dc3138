#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# doctor answers good, hazard or cannot tell, by exit code and by finding, and changes nothing.
. "$(dirname -- "$0")/lib.sh"

expect_code 0 "$HOLDFAST" --json doctor
expect_json '.findings[0].verdict' note
[ ! -e "$HOLDFAST_HOME" ] || fail 'doctor made a home without being asked'

expect_code 0 "$HOLDFAST" --json doctor --init
expect_json '[.findings[].verdict] | unique | join(" ")' good

mkdir shared && chmod 777 shared && mkdir -m 700 shared/mine
expect_code 66 "$HOLDFAST" --json doctor shared/mine
expect_json '.findings[] | select(.check == "above") | .verdict' hazard

expect_code 66 "$HOLDFAST" doctor no-such-directory
expect_stdout_contains 'No such file'
touch file
expect_code 0 "$HOLDFAST" doctor file
