#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A command line that means two things, or nothing, is 64, and nothing runs.
. "$(dirname -- "$0")/../../lib/lib.sh"

refused() { expect_code 64 "$HOLDFAST" lock "$@" -- touch ran; }
refused
refused -n -w 5 x
refused -w soon x
refused -w -1 x
refused -w '' x
refused -s --ttl 5s x
refused --ttl 0 x
refused --ttl 10ms x
refused --yields take x
refused --on-lost term x
refused --grace 1s x
refused --ttl 6s --grace 2s x
refused --presume-dead 5s x
refused --on-expired replace x
refused --on-expired steal x
refused --busy-code 256 x
refused --busy-code -1 x
refused --status-fd 1 x
refused --status-fd 77 x
refused ''
refused x --file f
refused x --path f
refused --file f --path f
refused --presume-dead 5s ./x
refused --on-expired replace /tmp/x
refused -x -s x
refused -c true x
expect_code 64 "$HOLDFAST" lock x
expect_code 64 "$HOLDFAST" lock x --
[ ! -e ran ] || fail 'ran'
[ ! -e "$HOLDFAST_HOME" ] || fail 'a home was made for a wrong command line'
