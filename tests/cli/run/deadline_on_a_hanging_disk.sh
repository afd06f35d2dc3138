#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The disk of the home hangs: a command that prints nothing is told to end at its deadline all the same, under its first
# supervisor and under an adopter, because that is recorded afterwards.
# label: system
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can freeze a file system'
command -v fsfreeze >/dev/null || skip 'fsfreeze is not installed'
mkdir disk
truncate -s 64M image
mkfs.ext4 -q image || skip 'no ext4 can be made'
mount -o loop image disk 2>/dev/null || skip 'no loop device'
thaw() {
  fsfreeze -u disk 2>/dev/null || :
  for name in a b; do "$HOLDFAST" stop "$name" --grace 0 >/dev/null 2>&1 || :; done
  umount -l disk
  remove_scratch
}
trap thaw EXIT
HOLDFAST_HOME=$PWD/disk/home
export HOLDFAST_HOME

"$HOLDFAST" run --detach --name a --timeout 4s -- sleep 600 >/dev/null
orphan b --timeout 4s -- sleep 600
need_group
"$HOLDFAST" adopt b >/dev/null
first=$(record a .command.pid) second=$(record b .command.pid)
kill -0 "$first" || fail 'too slow: the deadline is over'
kill -0 "$second" || fail 'too slow: the deadline is over'
fsfreeze -f disk
tries=0
while kill -0 "$first" 2>/dev/null || kill -0 "$second" 2>/dev/null; do
  [ "$(cut -d' ' -f3 /proc/"$first"/stat 2>/dev/null || echo Z)$(cut -d' ' -f3 /proc/"$second"/stat 2>/dev/null || echo Z)" != ZZ ] || break
  tries=$((tries + 1))
  [ "$tries" -lt 400 ] || fail "alive long after the deadline: $(ps -o pid,stat,args -p "$first,$second")"
  sleep 0.1
done
fsfreeze -u disk
code=0
"$HOLDFAST" wait a || code=$?
[ "$code" -eq 124 ] || fail "a: $code"
