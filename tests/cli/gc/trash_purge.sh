#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The trash is emptied by name, by age or all of it; by gc when its own time has come, on the clock that nobody sets.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

trash=$sessions/.holdfast-trash
for i in 1 2 3 4; do ended "s-$i"; done
echo mine >"$sessions/s-1/trashed.json"
expect_code 0 gc
[ "$(cat "$trash"/s-1.*/trashed.json)" = mine ] || fail 'a file of the agent went'
expect_code 64 "$HOLDFAST" trash purge
expect_code 66 "$HOLDFAST" trash purge s-1 nobody
expect_code 0 "$HOLDFAST" trash purge s-1
expect_code 0 "$HOLDFAST" trash purge --older-than 1h
expect_code 0 "$HOLDFAST" trash list --json
expect_json '.trash | length' 3
for type in trash.purge trash.purged; do
  [ "$("$HOLDFAST" journal count --type "$type")" -eq 1 ] || fail "$type is missing"
done

# A step of the wall clock changes nothing: the note says an old time, and the moment of this boot.
note=$(echo "$trash"/s-2.*.note.json)
sed -i 's/"at":"20[0-9][0-9]/"at":"1999/' "$note"
expect_code 0 gc
[ -e "$note" ] || fail 'a clock step purged it'
# What one gc put there for a day, another one does not take, whatever it says of its own.
ended s-5
expect_code 0 gc --trash-for 0
[ -e "$note" ] || fail 'gc --trash-for 0 took what was to stay for a day'
[ -z "$(find "$trash" -name '*s-5*')" ] || fail 'what went at once is still there'
# On the boot clock it is time.
sed -i -e 's/"boot_ns":[0-9]*/"boot_ns":1/' -e 's/"keep_ms":[0-9]*/"keep_ms":5/' "$note"
expect_code 0 gc
[ ! -e "$note" ] || fail 'its time has come and it is still there'

# What a purge left half-done is listed, is not brought back, and is ended by the next one.
entry=$(basename "$(echo "$trash"/s-3.*[0-9a-f])")
mv "$trash/$entry" "$trash/.purging-$entry"
expect_code 0 "$HOLDFAST" trash list --json
expect_json '.trash[] | select(.name == "s-3") | .purging' true
expect_code 77 "$HOLDFAST" trash restore s-3 --json
expect_json .error.cause partly-purged
expect_code 0 gc
[ -z "$(find "$trash" -name '*s-3*')" ] || fail 'gc did not go on with it'

# What cannot be looked into is listed, with the reason.
ended odd
expect_code 0 gc
odd=$(echo "$trash"/odd.*[0-9a-f])
mv "$odd" "$scratch/odd"
ln -s "$scratch/odd" "$odd"
expect_code 0 "$HOLDFAST" trash list --json
expect_json '.trash[] | select(.name == "odd") | .trouble' is-link
rm "$odd"
mv "$scratch/odd" "$odd"
expect_code 0 "$HOLDFAST" trash purge --all
[ -z "$(ls -A "$trash")" ] || fail 'the trash is not empty'
