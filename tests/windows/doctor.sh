#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# doctor looks and changes nothing unasked.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/windows.inc"

# The scratch directory lies below one that others may write to, which is a finding here: 66, and not about the home.
home_verdict() {
  code=0
  "$HOLDFAST" --json doctor "$@" >"$stdout" 2>"$stderr" || code=$?
  [ "$code" -eq 0 ] || [ "$code" -eq 66 ] || fail "doctor answered $code"
  json_field '.findings[] | select(.check == "home") | .verdict'
}
[ "$(home_verdict)" = note ] || fail 'a home that is not there yet is a note'
[ ! -e "$HOLDFAST_HOME" ] || fail 'doctor made a home without being asked'
[ "$(home_verdict --init)" = good ] || fail 'the new home is not good'
[ -d "$HOLDFAST_HOME" ] || fail 'doctor --init made no home'
expect_code 66 "$HOLDFAST" doctor no-such-directory
