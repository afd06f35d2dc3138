#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A chain that cannot be read is 65, one of a later version 69, one whose ledger is gone 69; a shared lock is not
# enough (77). Nothing is changed, and no producer is run.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
printf '[]\n' >l
# refused CODE CAUSE CHAIN
refused() {
  for words in 'write f -- touch was_run' 'update f -- touch was_run' 'block put f --id x --from l' \
    'ledger append l -d {}' 'ensure --file made'; do
    # shellcheck disable=SC2086 # words
    expect_code "$1" env HOLDFAST_CHAIN="$3" "$HOLDFAST" --json $words
    expect_cause "$2"
  done
  expect_only f l
}
refused 65 bad-chain garbage
refused 65 bad-chain 'v1 named:xyz:1:/a/b.lock'
refused 69 newer-version 'v2 something'
token=00112233445566778899aabbccddeeff
refused 69 chain-ledger-missing "v1 named:$token:1:$PWD/gone.lock"
refused 69 chain-ledger-missing "v1 named:$token:1:$PWD/no/dir.lock"
refused 69 chain-ledger-foreign "v1 file:$token:1:$PWD/.f"
# An empty one is none; and `write` needs no home for it.
expect_code 0 env HOLDFAST_CHAIN= HOLDFAST_HOME=/proc/no/home "$HOLDFAST" write f -- printf new
# shellcheck disable=SC2016 # for the inner shell
expect_code 76 "$HOLDFAST" lock deploy -- sh -c 'rm "$HOLDFAST_HOME/locks/deploy.lock"
  exec "$HOLDFAST" --json write f -- printf late'
expect_json .code 69
expect_cause chain-ledger-missing
expect_code 77 "$HOLDFAST" lock deploy -s -- "$HOLDFAST" --json write f -- printf read
expect_cause shared-token
expect_file f new
