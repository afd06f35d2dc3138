#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where no control group can be had, --memory is refused and says what to do, instead of becoming a limit of another
# kind; --memory-fallback rlimit asks for that by name.
# label: system
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
without_groups

expect_code 125 "$HOLDFAST" run --memory 500M -- touch ran
expect_stderr_contains 'systemd-run'
[ ! -e ran ] || fail 'it ran without its limit'
expect_code 0 "$HOLDFAST" run --memory 500M --memory-fallback rlimit -- sh -c 'ulimit -v >limit'
[ "$(cat limit)" -eq 512000 ] || fail "the limit is $(cat limit)"
expect_code 0 "$HOLDFAST" run --memory 500M --limits-best-effort -- sh -c 'ulimit -v >limit'
[ "$(cat limit)" = unlimited ] || fail 'another limit than was asked for'
expect_code 64 "$HOLDFAST" run --memory-fallback rlimit -- true
