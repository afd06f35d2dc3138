#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A question that must parse the data of a long journal is answered by the helper program, with the same
# answer; without the helper it is answered all the same.
# label: system
. "$(dirname -- "$0")/lib.sh"
helper=$(dirname -- "$HOLDFAST")/holdfast-journal
[ -x "$helper" ] || skip 'the helper program is not built'
strace -o trace true 2>/dev/null || skip 'strace cannot trace here'
text=$(head -c 60000 /dev/zero | tr '\0' x)
i=0
while [ "$i" -lt 150 ]; do
  printf '{"text":"%s","lock":"l%s"}' "$text" "$((i % 3))" |
    "$HOLDFAST" journal append --type x.long >/dev/null
  i=$((i + 1))
done

count() { "$@" journal count --no-index --by data.lock --where data.lock!=l2 --json; }
expect_code 0 count strace -f -e trace=execve -o trace "$HOLDFAST"
grep -q 'holdfast-journal' trace || fail 'the helper was not used'
jq -c .groups <"$stdout" >with
expect_json .count 101

mkdir alone
cp "$HOLDFAST" alone/holdfast
expect_code 0 count alone/holdfast
jq -c .groups <"$stdout" | cmp - with || fail 'another answer without the helper'
[ "$("$HOLDFAST" journal query --where data.lock=l1 --json | wc -l)" -eq 50 ] || fail 'query differs'
