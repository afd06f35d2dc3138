#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --check changes nothing, not even the home: missing or drift is 66, another type or a link is 77.
. "$(dirname -- "$0")/../../lib/lib.sh"

mkdir dir
touch file
chmod 600 file
expect_code 0 "$HOLDFAST" ensure --check --file file --mode 0600
expect_code 66 "$HOLDFAST" ensure --check --file file --mode 0644
expect_stdout_is "drift $PWD/file: mode 0600, declared 0644"
expect_code 0 "$HOLDFAST" ensure --check --file file --mode 0644 --drift warn
expect_code 66 "$HOLDFAST" ensure --check --file file --mode 0644 --pin
expect_code 66 "$HOLDFAST" ensure --check --file no/such/file --json
expect_json '.missing[0]' "$PWD/no/such/file"
expect_json .ok false
expect_code 77 "$HOLDFAST" ensure --check --file dir --file gone
expect_stdout_contains "missing $PWD/gone"
ln -s gone link
expect_code 77 "$HOLDFAST" ensure --check --dir link
[ "$(find . | sort | tr '\n' ' ')" = '. ./dir ./file ./link ' ] || fail 'something was made'
[ ! -e "$HOLDFAST_HOME" ] || fail 'a home was made'
