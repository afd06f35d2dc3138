#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A shell that got its lock by `exec 9>>file; flock 9` is named as its holder, also in a container, where the kernel
# names nobody any more once flock(1) has ended; and so is the one from whom the lock is taken.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v flock >/dev/null || skip 'flock(1) is not installed'
unshare --map-root-user --pid --fork --mount-proc true 2>/dev/null || skip 'no pid namespaces can be made here'

mkfifo ready go
cat >inside.sh <<'X'
sh -c 'exec 9>>.f.lock; flock 9; echo $$ >holder; echo up >ready; read -r _ <go' &
read -r _ <ready
"$HOLDFAST" locks --file f --json >shown
"$HOLDFAST" lock --file f --presume-dead 1s -w 60 -- true || exit 3
"$HOLDFAST" journal query --type lock.taken --last 1 --json >taken
echo go >go
wait
X
for where in '' 'unshare --map-root-user --pid --fork --mount-proc'; do
  rm -f .f.lock .f.hold
  # shellcheck disable=SC2086  # words
  expect_code 0 $where sh inside.sh
  holder=$(cat holder)
  [ "$(jq .holder.pid shown)" = "$holder" ] || fail "locks ($where): not $holder but $(cat shown)"
  [ "$(jq .data.holder.pid taken)" = "$holder" ] || fail "taken ($where): not of $holder but $(cat taken)"
done
