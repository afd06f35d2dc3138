#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `update` takes the file's own lock: it does not wait for itself under `lock --file`, it is seen by `locks --file`,
# its filter runs under it, and when the lock is taken away meanwhile its commit is refused.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/locks.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf old >f
expect_code 0 "$HOLDFAST" lock --file f -- "$HOLDFAST" update f --wait 0s --json -- tr a-z A-Z
expect_json .fences 1
expect_file f OLD
# shellcheck disable=SC2016 # for the inner shell
{
  expect_code 0 update f --json -- sh -c 'cat >/dev/null; "$HOLDFAST" locks --file f --json | jq -r .state; "$HOLDFAST" check --file f >&2'
  expect_file f 'held
'
  # Its filter may change other files, and those changes are fenced by the same lock.
  expect_code 0 update f -- sh -c '"$HOLDFAST" write g --json -- printf g | jq .fences'
  expect_file f '1
'
}
expect_code 0 "$HOLDFAST" locks --file f --json
expect_json .state free
# Somebody breaks the lock while the filter runs.
# shellcheck disable=SC2016 # for the inner shell
expect_code 77 update f --json -- sh -c 'id=$("$HOLDFAST" locks --file f --json | jq -r .break_id)
  "$HOLDFAST" break --file f --id "$id" --reason test >&2 || :; printf late'
expect_cause lock-lost
expect_file f '1
'
