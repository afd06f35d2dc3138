#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Under the name flock, an answer whose message cannot be written keeps its code.
. "$(dirname -- "$0")/../../lib/lib.sh"
[ -c /dev/full ] || skip 'there is no /dev/full'

ln -s "$HOLDFAST" flock
: >held
exec 9<held
./flock 9
answers() { # EXPECTED CODE WHAT
  [ "$1" -eq "$2" ] || fail "$2, not $1: $3"
}
for case in '1 -n held true' '9 -n -E 9 --verbose held true' '66 missing/f true' '64 --nonsense' '69 f ./missing' '0 f true'; do
  for target in /dev/full '&-'; do
    code=0
    # shellcheck disable=SC2086
    case $target in
      '&-') ./flock ${case#* } 2>&- || code=$? ;;
      *) ./flock ${case#* } 2>/dev/full || code=$? ;;
    esac
    answers "${case%% *}" "$code" "$case, stderr $target"
  done
done
