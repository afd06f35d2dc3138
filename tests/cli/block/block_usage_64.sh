#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Wrong options are 64, before stdin is waited for and before anything is looked at.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

printf 'u\n' >f
keep f
usage() { expect_code 64 "$HOLDFAST" block "$@" </dev/null; }
usage put f
expect_stderr_contains '--id is missing'
usage put f --id ''
usage put f --id 'a b'
usage put f --id "$(printf 'a\nb')"
usage put f --id "$(printf '%0101d' 0)"
usage put f.xml --id a--b
usage put f --begin '# x'
expect_stderr_contains 'go together'
usage put f --begin '# x' --end '# x'
usage put f --begin '# x' --end '# x y'
usage put f --begin '' --end '# x'
usage put f --begin "$(printf 'a\nb')" --end c
usage put f --begin '# >>> holdfast x' --end '# x'
usage put f --id a --style wavy
expect_stderr_contains 'markdown|html'
usage put f --id a --at start --before u
usage put f --id a --before ''
usage put f --id a --at middle
usage get f
usage remove f
usage list f --id a
usage frobnicate f
usage put
[ ! -e "$HOLDFAST_HOME" ] || fail 'a wrong option made a home'
expect_kept f
