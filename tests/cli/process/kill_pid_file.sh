#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An old pid file is enough only with evidence of the start: exact ticks, or a time before it and a write behind it.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

before=$(date -u +%Y-%m-%dT%H:%M:%SZ)
start sleep-forever
ticks=$("$HOLDFAST" identify "$pid" | jq .start)
echo "$pid" >f
expect_code 69 "$HOLDFAST" kill --pidfile f --json
expect_json .evidence no-evidence
expect_code 69 "$HOLDFAST" kill --pidfile f
expect_stderr_contains '--starttime TICKS, or --started-after TIME'
expect_code 77 "$HOLDFAST" kill --pidfile f --starttime $((ticks + 1)) --json
expect_json .outcome mismatch
expect_code 69 "$HOLDFAST" kill --pidfile f --started-after 2200-01-01 --json
expect_json .evidence started-earlier
if [ "$(cut -d . -f 1 /proc/uptime)" -gt 3600 ]; then
  cp f old
  touch -d '30 minutes ago' old
  expect_code 69 "$HOLDFAST" kill --pidfile old --started-after 40m --json
  expect_json .evidence started-later
fi
touch -d '1990-01-01' past
echo "$pid $ticks" >past
touch -d '1990-01-01' past
expect_code 69 "$HOLDFAST" kill --pidfile past --json
expect_json .evidence before-boot
touch -d '+1 hour' past
expect_code 69 "$HOLDFAST" kill --pidfile past --json
expect_json .evidence future-file
echo 1 2 3 >list
expect_code 69 "$HOLDFAST" kill --pidfile list --json
expect_json .evidence no-pid
expect_code 66 "$HOLDFAST" kill --pidfile not_there
expect_lives "$pid"

expect_code 0 "$HOLDFAST" kill --pidfile f --started-after "$before" --json
expect_json .outcome killed
expect_dead "$pid"
expect_code 66 "$HOLDFAST" kill --pidfile f --started-after "$before"
wait "$pid" || :

for text in '%s %s' '%s\n%s\n' '{"pid":%s,"starttime":%s}'; do
  start sleep-forever
  # shellcheck disable=SC2059  # it is the form of the file
  printf "$text" "$pid" "$("$HOLDFAST" identify "$pid" | jq .start)" >f
  expect_code 0 "$HOLDFAST" kill --pidfile f --json
  expect_json .outcome killed
  wait "$pid" || :
done
start sleep-forever
"$HOLDFAST" identify "$pid" >f
expect_code 0 "$HOLDFAST" kill --pidfile f
expect_dead "$pid"
wait "$pid" || :
