#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Many at once add one to a number. Read, add, rename loses steps; fifty `holdfast update` at once lose none.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# Eight of them, and all have read before the first writes: no luck is needed to lose.
naive() {
  number=$(cat counter)
  echo "$1" >>have_read
  until [ "$(wc -l <have_read)" -eq 8 ]; do :; done
  echo $((number + 1)) >"tmp.$1"
  mv "tmp.$1" counter
}
echo 0 >counter
for i in 1 2 3 4 5 6 7 8; do naive "$i" & done
wait
[ "$(cat counter)" -lt 8 ] || fail 'the naive version has become better'
rm have_read

# Their words go outside of this directory, where nothing but the lock may be left.
add() { update counter --wait 110s --durability none -- awk '{ print $1 + 1 }' >/dev/null 2>>"$scratch/errors"; }
echo 0 >counter
i=0
while [ "$i" -lt 50 ]; do
  { add || echo "$?" >>"$scratch/codes"; } &
  i=$((i + 1))
done
wait
[ ! -e "$scratch/codes" ] || fail "codes: $(sort "$scratch/codes" | uniq -c); $(head -n 3 "$scratch/errors")"
[ ! -s "$scratch/errors" ] || fail "it complains: $(head -n 3 "$scratch/errors")"
expect_file counter '50
'
expect_only .counter.hold .counter.lock counter
