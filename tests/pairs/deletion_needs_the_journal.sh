#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the journal does not take is not deleted: not by gc, not from the trash, by name or all of it, and no step and no
# adopted directory's record is forgotten. With the journal back, each of them is done.
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

new old
"$HOLDFAST" workspace end old >/dev/null
expect_code 0 gc
mkdir out
new outside --dir "$PWD/out/dir"
new ended
"$HOLDFAST" workspace end ended >/dev/null
"$HOLDFAST" once k -- true
mv "$HOLDFAST_HOME/journal" away
: >"$HOLDFAST_HOME/journal"
all_of_it() { # CODE
  expect_code "$1" gc
  expect_code "$1" "$HOLDFAST" trash purge old
  expect_code "$1" "$HOLDFAST" workspace forget outside
  expect_code "$1" "$HOLDFAST" step forget --kind once k
}
all_of_it 77
expect_code 77 "$HOLDFAST" trash purge --all
[ -d "$sessions/ended" ] || fail 'gc removed what is not on record'
[ -n "$(find "$sessions/.holdfast-trash" -name 'old.*')" ] || fail 'the trash lost what is not on record'
expect_code 0 "$HOLDFAST" workspace get outside
expect_code 0 "$HOLDFAST" step show --kind once k

rm "$HOLDFAST_HOME/journal"
mv away "$HOLDFAST_HOME/journal"
all_of_it 0
for type in gc.removed trash.purged workspace.forgotten step.forgotten; do
  [ "$("$HOLDFAST" journal count --type "$type")" -ge 1 ] || fail "$type is not on record"
done
