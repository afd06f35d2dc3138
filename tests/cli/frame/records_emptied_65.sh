#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A record of a step or a series that was emptied, cut or filled with zeros is damage (65), never "it never ran", and
# nothing is done again.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
once() { "$HOLDFAST" once k -- touch ran; }
attempt() { "$HOLDFAST" attempt k --max 2 -- touch ran; }
notify() { echo same | "$HOLDFAST" notify k -- touch ran; }
series() { "$HOLDFAST" run --name s --iterations 2 --until 'test -e never' -- touch ran; }

# damaged NAME FILE: by every kind of damage, and the bytes stay.
damaged() {
  cp "$2" whole
  size=$(wc -c <"$2")
  for damage in ': ' 'head -c 1 whole' "head -c $((size / 2)) whole" "head -c $size /dev/zero" 'head -c 4096 /dev/zero'; do
    $damage >"$2"
    cp "$2" damage
    expect_code 65 "$1"
    expect_stderr_contains "$2"
    [ ! -e ran ] || fail "$1 ran again after: $damage"
    cmp "$2" damage || fail "$1 wrote over: $damage"
  done
}
for step in once attempt notify; do
  "$step"
  rm ran
  damaged "$step" "$(step_file "$step" k)"
done
expect_code 76 series
rm ran
damaged series "$HOLDFAST_HOME/sessions/s/series.json"
