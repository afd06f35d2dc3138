#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where holdfast cannot do its part, the command does not start: 125.
# label: system
. "$(dirname -- "$0")/../../lib/run_tree.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 125 sh -c 'ulimit -n 5; exec "$@"' sh "$HOLDFAST" run -- touch ran
[ ! -e ran ] || fail 'the command ran'
expect_code 125 "$HF_TEST_CHILD" deny prctl -- "$HOLDFAST" run -- touch ran
[ ! -e ran ] || fail 'the command ran without a subreaper'
expect_code 125 "$HF_TEST_CHILD" deny timerfd_create -- "$HOLDFAST" run --json --timeout 5 -- touch ran
expect_json .state failed
expect_json .error.cause enosys
[ ! -e ran ] || fail 'the command ran without a timer'

# In a working directory that was removed nothing can be started by name; that is no answer (66).
mkdir gone
for words in 'run --name a' 'run --name b --detach' 'once c'; do
  # shellcheck disable=SC2086 # several words
  expect_code 125 sh -c 'cd gone && rmdir ../gone && exec "$@"' sh "$HOLDFAST" $words -- touch "$scratch/ran"
  mkdir gone
done
[ ! -e ran ] || fail 'the command ran in a removed directory'
