#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CRLF stays CRLF, a byte order mark stays first, a file without a final newline stays without; taking
# the block out again gives the old bytes.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

digest=$(printf 'a\nb\n' | sha256sum | cut -c1-16)
check() { # BEFORE AFTER
  # shellcheck disable=SC2059
  printf "$1" >f.conf
  keep f.conf
  printf 'a\nb\n' | expect_code 0 put f.conf --id x
  expect_bytes f.conf "$2"
  cp f.conf once
  printf 'a\r\nb' | expect_code 0 put f.conf --id x --json
  expect_json .changed false
  cmp -s f.conf once || fail 'putting it twice is not putting it once'
  expect_code 0 "$HOLDFAST" block remove f.conf --id x
  expect_kept f.conf
}
lf="# >>> holdfast x sha256:$digest\\na\\nb\\n# <<< holdfast x"
crlf="# >>> holdfast x sha256:$digest\\r\\na\\r\\nb\\r\\n# <<< holdfast x"
check 'u\n' "u\\n$lf\\n"
check 'u' "u\\n$lf"
check '' "$lf\\n"
check 'u\r\nv\r\n' "u\\r\\nv\\r\\n$crlf\\r\\n"
check 'u\r\nv' "u\\r\\nv\\r\\n$crlf"
check '\357\273\277u\r\n' "\\357\\273\\277u\\r\\n$crlf\\r\\n"
check '\357\273\277u' "\\357\\273\\277u\\n$lf"
check 'u\r' "u\\r\\n$lf"

printf '\357\273\277#!/bin/sh\nu\n' >s.sh
printf 'a\n' | expect_code 0 put s.sh --id x --at start
[ "$(head -n 1 s.sh)" = "$(printf '\357\273\277#!/bin/sh')" ] || fail 'the mark or #! is not first any more'
