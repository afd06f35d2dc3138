#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Files of the user's own in the directory of a session stay through later runs, `resume`, `stop` and `adopt`; of earlier
# runs the newest ten are kept, and the session's own files are private.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
umask 0

expect_code 0 "$HOLDFAST" run --name a -- true
dir=$HOLDFAST_HOME/sessions/a
mkdir "$dir/mine" && echo text | tee "$dir/mine/file" >"$dir/out.log.mine"
for _ in 1 2 3 4 5 6 7 8 9 10 11; do expect_code 0 "$HOLDFAST" resume a; done
[ "$(find "$dir/runs" -mindepth 1 -maxdepth 1 | sed 's|.*/||' | sort -n | tr '\n' ' ')" = '2 3 4 5 6 7 8 9 10 11 ' ] ||
  fail "kept: $(ls "$dir/runs")"
expect_code 66 "$HOLDFAST" show a --run 1
orphan a -- sleep 600
"$HOLDFAST" adopt a >/dev/null
"$HOLDFAST" stop a >/dev/null 2>&1 || :
for file in mine/file out.log.mine; do [ "$(cat "$dir/$file")" = text ] || fail "$file is touched"; done
for file in session.json out.log control; do
  [ ! -e "$dir/$file" ] || [ "$(stat -c %a "$dir/$file")" = 600 ] || fail "$file: $(stat -c %a "$dir/$file")"
done
[ "$(stat -c %a "$dir")" = 700 ] || fail "the directory: $(stat -c %a "$dir")"
