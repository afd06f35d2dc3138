#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A number that went to another process: `kill -9 $(cat pidfile)` ends the innocent one, holdfast does not.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"

unshare --map-root-user --pid --fork --mount-proc sh -c 'echo 100 >/proc/sys/kernel/ns_last_pid' 2>/dev/null ||
  skip 'no pid namespace with a settable last pid'
cat >inside.sh <<'INSIDE'
# recycle: ends the process $old and starts another one that gets its number, $new.
recycle() {
  kill -s KILL "$old"
  wait "$old" 2>/dev/null
  tries=0
  new=0
  until [ "$new" -eq "$old" ]; do
    echo $((old - 1)) >/proc/sys/kernel/ns_last_pid
    sleep 1000 &
    new=$!
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || exit 20
  done
}
lives() { kill -0 "$1" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$1/status"; }

sleep 1000 &
old=$!
"$HOLDFAST" identify "$old" >id
jq -c '.pidfs = 0' <id >old_id     # as of a kernel without pidfs numbers: number and start tell
echo "$old" >pidfile
printf '%s %s\n' "$old" "$(jq .start <id)" >pidfile_with_start
# Its start must be another tick, as it is whenever a number comes round.
until [ "$(sed 's/ .*//; s/\.//' /proc/uptime)" -gt "$(jq .start <id)" ]; do :; done
recycle
for words in '@id' '@old_id' '@id --tree' '--pidfile pidfile_with_start'; do
  code=0
  # shellcheck disable=SC2086
  "$HOLDFAST" kill $words --json >answer 2>/dev/null || code=$?
  echo "holdfast kill $words: $code $(jq -r .outcome <answer) $(jq -r .evidence <answer)"
done
code=0
"$HOLDFAST" kill --pidfile pidfile --json >answer 2>/dev/null || code=$?
echo "holdfast kill --pidfile pidfile: $code $(jq -r .outcome <answer) $(jq -r .evidence <answer)"
"$HOLDFAST" alive @id
lives "$new" && echo 'the innocent one lives after holdfast kill'
kill -s KILL "$(cat pidfile)"
wait "$new" 2>/dev/null
lives "$new" || echo 'the innocent one is dead after kill -9 of the pid file'
INSIDE
code=0
unshare --map-root-user --pid --fork --mount-proc sh inside.sh >"$stdout" 2>"$stderr" || code=$?
[ "$code" -ne 20 ] || skip 'the number could not be given out again'
for words in '@id' '@old_id' '@id --tree' '--pidfile pidfile_with_start'; do
  expect_stdout_contains "holdfast kill $words: 77 mismatch recycled"
done
expect_stdout_contains 'holdfast kill --pidfile pidfile: 69 unproven no-evidence'
expect_stdout_contains 'dead: recycled'
expect_stdout_contains 'the innocent one lives after holdfast kill'
expect_stdout_contains 'the innocent one is dead after kill -9 of the pid file'
