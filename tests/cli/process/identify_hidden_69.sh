#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A process that /proc hides is "cannot tell" for identify, alive and kill, never "no such process".
# label: system
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

[ "$(id -u)" -eq 0 ] || skip 'needs root to hide a process'
unshare --pid --fork --mount-proc mount -o remount,hidepid=2 /proc 2>/dev/null ||
  skip 'cannot mount /proc with hidepid here'
chmod 755 "$scratch" "$scratch/work"
cp "$HOLDFAST" holdfast
cat >inside.sh <<'INSIDE'
nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
sleep 1000 &
pid=$!
./holdfast identify "$pid" >id
jq -c '.pidfs = 0' <id >old_id     # as a kernel without pidfs would have written it
chmod 644 id old_id
mount -o remount,hidepid=2 /proc
for words in "identify $pid" 'alive @old_id' 'kill @old_id'; do
  code=0
  $nobody env HOLDFAST_HOME=/nowhere/at/all ./holdfast $words --json >out 2>/dev/null || code=$?
  printf '%s %s %s\n' "$code" "$(jq -r .error.cause <out)" "$words"
done
kill -0 "$pid" && echo lives
INSIDE
expect_code 0 unshare --pid --fork --mount-proc sh inside.sh
[ "$(grep -c '^69 hidepid ' "$stdout")" -eq 3 ] || fail 'not all of them say hidepid'
expect_stdout_contains lives
