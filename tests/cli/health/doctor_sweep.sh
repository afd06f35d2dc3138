#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --sweep leaves alone what is not certainly left over: a stage that was changed less than an hour ago, however
# old its content is, and everything with another name.
. "$(dirname -- "$0")/../../lib/lib.sh"

stage=.hf-stage-0123456789abcdef0123456789abcdef
mkdir dir
touch -d '2 hours ago' "dir/$stage" dir/mine dir/.hf-stage-notes

expect_code 0 "$HOLDFAST" --json doctor --sweep dir
expect_json '[.findings[] | select(.check == "leftovers")] | length' 0
for name in "$stage" mine .hf-stage-notes; do
  [ -e "dir/$name" ] || fail "$name was removed"
done
