#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a start runs lies together in the program: most of the list that says so is still there.
. "$(dirname -- "$0")/../../lib/lib.sh"

command -v readelf >/dev/null || skip 'readelf is not installed'
readelf -SW "$HOLDFAST" >sections
size=$(sed -n 's/^ *\[ *[0-9]*\] \.text\.startup_order  *PROGBITS  *[0-9a-f]*  *[0-9a-f]*  *\([0-9a-f]*\) .*/\1/p' sections)
if readelf -lW "$HOLDFAST" | grep -q INTERP; then skip 'this program is not linked statically: it has no such list'; fi
[ -n "$size" ] || fail 'the list was not used'
written=$(sed -n 's/^ \* bytes: \([0-9]*\) .*/\1/p' "$(dirname -- "$0")/../../../src/cli/frame/startup_order.ld")
size=$(printf '%d' "0x$size")
[ $((size * 4)) -ge $((written * 3)) ] ||
  fail "of $written bytes $size are left: let bench/startup/order.py write the list anew"
