#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An editor that knows no lock renames numbered versions over the file while updates run as fast as they can: a
# version that was displaced by holdfast was in the input of what displaced it.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# A line `V T`: the editor's version that it was made from, and how many updates it has had. The editor installs
# V + 1 as soon as it finds V with an update; a version that got lost would never come back to it.
echo '0 0' >f
editor() {
  version=0
  while [ ! -e ../stop ]; do
    read -r seen updates <f
    # For a moment an older one may be seen, while two names are exchanged back.
    if [ "$seen" -ne "$version" ] || [ "$updates" -eq 0 ]; then continue; fi
    version=$((version + 1))
    echo "$version 0" >../copy
    mv ../copy f
    echo "$version" >../last
  done
}
# Two of them, so that the next one has read the file when the editor comes.
updates() {
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
    update f --json --wait 60s --durability none -- awk '{ print $1, $2 + 1 }' >>"../$1" 2>&1 || echo "$?" >>../codes
  done
}
editor &
editor=$!
updates one &
one=$!
updates two || fail 'a writer gave up'
wait "$one"
touch ../stop
wait "$editor"
[ ! -e ../codes ] || fail "codes: $(tr '\n' ' ' <../codes)"
[ "$(cut -d ' ' -f 1 f)" = "$(cat ../last)" ] || fail "the editor's $(cat ../last) is gone; there is: $(cat f)"
[ "$(cat ../last)" -gt 5 ] || fail "the editor came only $(cat ../last) times"
[ "$(cat ../one ../two | jq -s 'map(.tries) | max')" -gt 1 ] || fail 'they never met'
expect_only .f.hold .f.lock f
