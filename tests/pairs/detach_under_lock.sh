#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A detached run holds its own locks: it does not enter a hold of its caller again, and is told nothing of it.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
export HOLDFAST

expect_code 75 "$HOLDFAST" lock x -- "$HOLDFAST" run --detach --name under --lock x -w 1h -- sleep 60
expect_stderr_contains 'its caller runs under it'
expect_code 0 "$HOLDFAST" acquire x -n --owner none --ttl 1h
"$HOLDFAST" release x --token "$(cat "$stdout")"

# Another lock it takes for itself, and of the caller's it knows nothing.
mkfifo told go
# shellcheck disable=SC2016
expect_code 0 "$HOLDFAST" lock x -- "$HOLDFAST" run --detach --name beside --lock y -- \
  sh -c 'env >told; read -r _ <go'
env_of_run=$(grep '^HOLDFAST_' told)
expect_code 75 "$HOLDFAST" acquire y -n
case $env_of_run in *HOLDFAST_LOCK=y*) ;; *) fail "it is not told of its lock: $env_of_run" ;; esac
case $env_of_run in *x.lock*) fail "it is told of the lock of its caller: $env_of_run" ;; esac
echo >go
wait_for_end beside

# Without a lock of its own it is told of none.
expect_code 0 "$HOLDFAST" lock x -- "$HOLDFAST" run --detach --name alone --verify 'env >verified' -- sh -c 'env >told'
grep -E '^HOLDFAST_(LOCK|TOKEN|FENCE|CHAIN|HELD|DEADLINE)=' told && fail 'its command is told of the lock of its caller'
wait_for_end alone
grep -E '^HOLDFAST_(LOCK|TOKEN|FENCE|CHAIN|HELD|DEADLINE)=' verified && fail 'its verification is'
exit 0
