#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# readable_by proves that another user can come and read, or fails with the directory in the way.
. "$(dirname -- "$0")/../../lib/lib.sh"

chmod 755 "$scratch" .
manifest() {
  printf '[[path]]\npath = "d"\ntype = "dir"\nmode = "%s"\n' "$1"
  printf '[[path]]\npath = "d/f"\ntype = "file"\nmode = "%s"\nreadable_by = "4711:4711"\n' "$2"
}
manifest 0711 0644 >ok.toml
"$HOLDFAST" ensure ok.toml --check --json >"$stdout" 2>"$stderr" || :
expect_code 0 "$HOLDFAST" ensure ok.toml
rm -r d
manifest 0700 0644 >no_way.toml
expect_code 77 "$HOLDFAST" ensure no_way.toml --json
expect_json .error.cause not-readable-by
expect_json .error.subject "$PWD/d"
manifest 0711 0640 >no_read.toml
expect_code 77 "$HOLDFAST" ensure no_read.toml --json
expect_json .error.subject "$PWD/d/f"
[ ! -e d ] || fail 'something was made'
