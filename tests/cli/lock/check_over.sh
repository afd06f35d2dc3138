#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `check` and `renew` say of a hold that keeps nobody out any more that it is over (77), and of one that cannot be judged
# that it cannot be told (69): what `locks` calls stale is not held.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lock_command.inc" # gone, wait_until
tidy_keepers

both() {
  code=$1
  shift
  expect_code "$code" "$HOLDFAST" check "$@" --json
  expect_code "$code" "$HOLDFAST" renew "$@"
}

# Owner and keeper of a strict hold are killed.
sleep 1000 &
holder=$!
token=$("$HOLDFAST" acquire strict --owner "$holder")
both 0 strict --token "$token"
for keeper in $(keepers); do kill -s KILL "$keeper" && wait_gone "$keeper"; done
both 0 strict --token "$token" # the owner lives
kill -s KILL "$holder"
wait "$holder" || :
both 77 strict --token "$token"
expect_code 0 "$HOLDFAST" locks strict --json
[ "$(jq -r .state <"$stdout")" = stale ] || fail 'not stale'

# An earlier boot.
[ "$(id -u)" -eq 0 ] || skip 'needs root to show another boot'
cat /proc/sys/kernel/random/uuid >boot
rebooted() { unshare --mount sh -c 'mount --bind boot /proc/sys/kernel/random/boot_id && exec "$@"' sh "$@"; }
rebooted true 2>/dev/null || skip 'no mount namespace'
token=$("$HOLDFAST" acquire lease --owner none --ttl 1h)
both 0 lease --token "$token"
expect_code 77 rebooted "$HOLDFAST" check lease --token "$token"
expect_code 77 rebooted "$HOLDFAST" renew lease --token "$token"

# Another time namespace.
elsewhere() { unshare --time --boottime 1000 --fork -- "$@"; }
elsewhere true 2>/dev/null || skip 'no time namespace'
expect_code 69 elsewhere "$HOLDFAST" check lease --token "$token"
expect_code 69 elsewhere "$HOLDFAST" renew lease --token "$token"
