#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Wrong words are 64, run nothing and change nothing.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
usage() {
  expect_code 64 "$HOLDFAST" "$@"
  expect_stderr_contains 'holdfast'
  expect_file f old
}
script='touch was_run; printf new'
for words in '--mode 9' '--mode rw' '--mode 10000' '--meta maybe' '--meta pin' '--owner 1:' \
  '--min-bytes many' '--max-shrink 101%' '--max-shrink %' '--max-shrink -1' '--if-hash abc' \
  '--backup -1' '--backup many' '--links some' '--durability most' '--timeout 0' '--timeout soon' '--wait ever' \
  '--no-such-option'; do
  # shellcheck disable=SC2086 # words
  usage write f $words -- sh -c "$script"
  # shellcheck disable=SC2086 # words
  usage update f $words -- sh -c "$script"
done
usage write f --check '' -- sh -c "$script"
usage write f --from f -- sh -c "$script"
usage write f --pipe --from f
usage write f --pipe -- '|' sh -c "$script"
usage write f --pipe -- sh -c "$script" '|'
usage write f --pipe -- sh -c "$script" '|' '|' cat
usage write -- sh -c "$script"
usage write f --from f g
usage update f
usage update f --from f -- cat
usage update f --create
[ ! -e was_run ] || fail 'a command was run'
expect_only f

# A mistyped kind of check would be run as a command, and its failure would look like bad content.
expect_code 64 "$HOLDFAST" write file --check jsno -- echo '{}'
expect_stderr_contains 'did you mean'
