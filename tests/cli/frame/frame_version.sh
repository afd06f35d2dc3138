#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --version and help work in any environment: no HOME, no home, an unreadable directory.
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" --version
expect_no_stderr
grep -Eqx 'holdfast [0-9]+\.[0-9]+\.[0-9]+' "$stdout" || fail 'not a version'
version=$(cut -d ' ' -f 2 "$stdout")

expect_code 0 "$HOLDFAST" --json --version
expect_json .version "$version"
expect_json .ok true
expect_json .code 0

expect_code 0 env -i "$HOLDFAST" --version
expect_code 0 env -i "$HOLDFAST" help
expect_code 0 env HOLDFAST_HOME=/dev/null/x HOME= "$HOLDFAST" --home '' --version
expect_code 0 "$HOLDFAST" help --version
expect_stdout_is "holdfast $version"
[ ! -e "$HOLDFAST_HOME" ] || fail 'made a home'
