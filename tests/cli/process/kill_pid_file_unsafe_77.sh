#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A pid file that others could have written, a link, and another user's process are refused.
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

start sleep-forever
echo "$pid $("$HOLDFAST" identify "$pid" | jq .start)" >f
chmod 644 f

# expect_refused CAUSE FILE
expect_refused() {
  expect_code 77 "$HOLDFAST" kill --pidfile "$2" --json
  expect_json .error.cause "$1"
  expect_lives "$pid"
}
ln -s f link
expect_refused is-link link
mkfifo fifo
expect_refused not-a-regular-file fifo
ln f second
expect_refused hard-links f
rm second
chmod 666 f
expect_refused writable-by-others f
chmod 664 f
expect_refused writable-by-others f
chmod 644 f
mkdir open
chmod 777 open
cp f open/f
expect_refused unsafe-directory open/f
if [ "$(id -u)" -eq 0 ]; then
  cp f theirs
  chown 65534 theirs
  expect_refused foreign-owner theirs
  setpriv --reuid 65534 --regid 65534 --clear-groups sleep 1000 &
  other=$!
  until [ "$(stat -c %u "/proc/$other")" = 65534 ] && [ "$(cat "/proc/$other/comm")" = sleep ]; do :; done
  echo "$other $("$HOLDFAST" identify "$other" | jq .start)" >foreign
  expect_refused foreign-user foreign
  expect_lives "$other"
  end "$other"
fi
echo 1 >one
expect_code 77 "$HOLDFAST" kill --pidfile one --starttime "$(sed 's/.*) //' /proc/1/stat | cut -d ' ' -f 20)" --json
expect_lives 1

# A sticky directory like /tmp is fine: the file is ours.
chmod 1777 open
expect_code 0 "$HOLDFAST" kill --pidfile open/f
expect_dead "$pid"
wait "$pid" || :
