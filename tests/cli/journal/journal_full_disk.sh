#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On a disk filled to the brim the journal says so, still records decisions from its reserve, counts exactly
# what it drops, and says the count when there is space again.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can mount'
mkdir small
mount -t tmpfs -o size=8m none small 2>/dev/null || skip 'mounting a tmpfs is not allowed here'
trap 'umount small; remove_scratch' EXIT
append() { "$HOLDFAST" --home small/home journal append "$@"; }

expect_code 0 append --type x.first --data '{}'
head -c 20000000 /dev/zero >small/fill 2>/dev/null || :
# Fill the last page of the segment too: until something no longer fits.
until grep -q journal.full small/home/journal/seg-*; do
  append --type x.filler --data "{\"text\":\"$(head -c 3000 /dev/zero | tr '\0' x)\"}" >/dev/null || fail 'no reserve'
done
expect_code 0 append --type x.important --class decision --data '{}'
expect_code 74 append --type lock.acquired --data '{"lock":"a"}'
expect_stderr_contains 'dropped and counted'

# The reserve does not last for ever.
dropped=0
until ! append --type x.filler --data "{\"text\":\"$(head -c 30000 /dev/zero | tr '\0' x)\"}" >/dev/null 2>&1; do :; done
dropped=$((dropped + 1))
for _ in 1 2 3; do
  expect_code 74 append --type x.dropped --data "{\"text\":\"$(head -c 30000 /dev/zero | tr '\0' x)\"}"
  dropped=$((dropped + 1))
done
expect_code 74 append --type lock.acquired --data '{"lock":"a"}'

rm small/fill
expect_code 0 append --type x.after --data '{}'
expect_code 0 "$HOLDFAST" --home small/home journal query --type journal.full --json
[ "$(jq -r .data.state <"$stdout" | tr '\n' ' ')" = 'began ended ' ] || fail 'not began and ended'
[ "$(jq -r 'select(.data.state == "ended").data.dropped_event' <"$stdout")" = "$dropped" ] || fail "not $dropped events"
[ "$(jq -r 'select(.data.state == "ended").data.dropped_trace' <"$stdout")" = 2 ] || fail 'not 2 traces'
expect_code 0 "$HOLDFAST" --home small/home journal verify
