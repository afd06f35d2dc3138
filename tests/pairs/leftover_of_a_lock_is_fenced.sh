#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a command under a lock leaves running changes no file after the lock's end (77), also where nobody holds it;
# without HOLDFAST_CHAIN in its environment it is not part of the work, and may.
. "$(dirname -- "$0")/../lib/lib.sh"
export HOLDFAST

mkfifo up go ended
cat >left <<'END'
echo >up
read -r _ <go
for change in "write f -- echo late" "update g -- sed s/old/late/" "ensure --dir made --mode 0700"; do
  code=0
  "$HOLDFAST" $change || code=$?
  echo "$code" >>codes
done
env -u HOLDFAST_CHAIN "$HOLDFAST" write f -- echo free
echo >ended
END
echo old | tee f >g
expect_code 0 "$HOLDFAST" lock x -- sh -c 'setsid sh left </dev/null >/dev/null 2>said & read -r _ <up'
echo >go
read -r _ <ended
[ "$(tr '\n' ' ' <codes)" = '77 77 77 ' ] || fail "late changes: $(cat codes said)"
[ "$(cat g)" = old ] || fail 'a late update landed'
[ ! -e made ] || fail 'a late directory was made'
[ "$(cat f)" = free ] || fail "not let through without the chain: $(cat said)"
