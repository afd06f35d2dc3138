#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A purge that the journal does not take removes nothing from the trash, by name, by age or all of it.
. "$(dirname -- "$0")/../cli/lib.sh"
. "$(dirname -- "$0")/../cli/gc.inc"

for i in 1 2; do ended "s-$i"; done
expect_code 0 gc
before=$(find "$sessions/.holdfast-trash" | sort)
mv "$HOLDFAST_HOME/journal" "$scratch/journal"
: >"$HOLDFAST_HOME/journal"
for which in s-1 '--older-than 0s' --all; do
  code=0
  # shellcheck disable=SC2086 # several words on purpose
  "$HOLDFAST" trash purge $which >"$stdout" 2>"$stderr" || code=$?
  case $code in 69 | 71 | 74 | 77) ;; *) fail "exit code $code: trash purge $which" ;; esac
  [ "$(find "$sessions/.holdfast-trash" | sort)" = "$before" ] || fail "trash purge $which removed something"
done
rm "$HOLDFAST_HOME/journal"
mv "$scratch/journal" "$HOLDFAST_HOME/journal"
expect_code 0 "$HOLDFAST" trash purge --all
[ "$(find "$sessions/.holdfast-trash" | sort)" != "$before" ] || fail 'nothing is ever removed'
