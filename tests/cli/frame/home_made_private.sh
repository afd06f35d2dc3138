#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The home is made with mode 0700 whatever the umask, and a second start finds the same one.
. "$(dirname -- "$0")/../../lib/lib.sh"

for mask in 000 022 077; do
  home=$scratch/home-$mask
  (umask "$mask" && "$HOLDFAST" --home "$home" doctor --init >/dev/null) || fail "umask $mask"
  [ "$(stat -c %a "$home")" = 700 ] || fail "umask $mask: mode $(stat -c %a "$home")"
  [ "$(stat -c %a "$home/format")" = 600 ] || fail "umask $mask: the format file is not private"
done

before=$(cat "$scratch/home-022/format")
expect_code 0 "$HOLDFAST" --home "$scratch/home-022" doctor --init
[ "$(cat "$scratch/home-022/format")" = "$before" ] || fail 'the second start rewrote the format file'
