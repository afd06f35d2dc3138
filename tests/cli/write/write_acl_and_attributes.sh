#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Access list and extended attributes of the old file are kept; --meta pin does away with them.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
for tool in setfacl setfattr; do
  command -v "$tool" >/dev/null || skip "$tool(1) is not installed"
done

printf old >f
chmod 0640 f
setfacl -m u:4711:rw,g:4712:r,m::rw f 2>/dev/null || skip 'no access lists on this file system'
setfattr -n user.note -v kept f 2>/dev/null || skip 'no extended attributes on this file system'
before=$(getfacl -p f; getfattr -d f)
for way in '--durability full' '--backup 1' '--in-place'; do
  # shellcheck disable=SC2086 # words
  expect_code 0 write f $way -- printf "new $way"
  [ "$(getfacl -p f; getfattr -d f)" = "$before" ] || fail "$way: $(getfacl -p f; getfattr -d f)"
done
[ "$(getfattr --only-values -n user.note f.bak-*)" = kept ] || fail 'the backup lost the attribute'
# A default list of the directory must not be added to what the old file had.
printf plain >plain
chmod 0600 plain
setfacl -d -m u:4711:rw .
expect_code 0 write plain -- printf newer
[ "$(getfacl -pc plain)" = "$(printf 'user::rw-\ngroup::---\nother::---')" ] || fail "$(getfacl -p plain)"
expect_code 0 write f --meta pin --mode 0640 -- printf pinned
[ "$(getfacl -pc f)" = "$(printf 'user::rw-\ngroup::r--\nother::---')" ] || fail "$(getfacl -p f)"
[ -z "$(getfattr -d f)" ] || fail 'an attribute stayed'
