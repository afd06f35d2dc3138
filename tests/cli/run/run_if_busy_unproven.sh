#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --if-busy replace of an orphan whose end nothing proves: 69, and nothing is started, until a person closes it.
# label: system
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
without_groups

orphan lost -- sleep 600
expect_code 69 "$HOLDFAST" run --json --name lost --if-busy replace -- touch second
json_field .error.detail | grep -q 'nothing was started' || fail 'it does not say so'
expect_json .state failed
expect_code 69 "$HOLDFAST" run --name lost --if-busy replace -- touch second
[ ! -e second ] || fail 'it was started'
expect_code 0 "$HOLDFAST" stop lost --assume-gone --reason looked
expect_code 0 "$HOLDFAST" run --name lost --if-busy replace -- touch second
