#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A clean-up keeps a run whose supervisor was killed and whose command lives, and one that was adopted: with its record,
# its directory, and the ended workspace around it.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/gc.inc"

mkfifo go_run go_space
# kept REASON: of both
kept() {
  expect_code 0 gc --runs --json
  for name in run space; do
    expect_reason kept "$name" "$1"
    [ -e "$sessions/$name/mine" ] || fail "the files of $name are gone"
  done
}
new space
for name in run space; do
  # shellcheck disable=SC2016
  orphan "$name" -- sh -c 'touch "$HOLDFAST_SESSION_DIR/mine"; read -r _ <"$0"' "go_$name"
done
need_group
expect_code 0 "$HOLDFAST" workspace end space
until [ -e "$sessions/run/mine" ] && [ -e "$sessions/space/mine" ]; do :; done
kept runs
for name in run space; do expect_code 0 "$HOLDFAST" adopt "$name"; done
kept runs
for name in run space; do echo >"go_$name"; done
for name in run space; do wait_for_end "$name"; done
expect_code 0 gc --runs --json
expect_reason removed run run-ended
expect_reason removed space ended
