#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The lock file is made with mode 0666 less the umask, through a dangling link too, and stays empty; an old one keeps
# its bytes and times; what cannot be opened is 66 as in util-linux, a stdout that is full 1.
. "$(dirname -- "$0")/../../lib/flock.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
both_flocks

for mask in 000 022 077 777; do
  for tool in "$real" "$ours"; do
    rm -f made
    (umask "$mask" && "$tool" made true)
    stat -c '%a %s %F' made >>modes
  done
  [ "$(uniq modes | wc -l)" -eq 1 ] || fail "another mode under umask $mask"
  rm modes
done

ln -s target dangling
expect_code 0 "$ours" dangling true
[ -f target ] || fail 'the link was not followed'
[ -L dangling ] || fail 'the link was replaced'
ln -s loop loop
same_code 66 loop true
same_code 66 no/such/f true
same_code 66 '' true
same_code 66 target/f true
mkdir d
same_code 0 d true
same_code 0 d/ true
same_code 66 absent/ true

printf 'content' >old
chmod 444 old
touch -d 2001-02-03 old
before=$(stat -c '%i %a %s %Y %Z %h' old)
same_code 0 -w 1 old true
same_code 0 -u old true
[ "$(stat -c '%i %a %s %Y %Z %h' old)" = "$before" ] || fail 'the file was changed'
[ "$(cat old)" = content ] || fail 'the file was written'

same_code 66 "$(printf 'x%.0s' $(seq 300))" true
if [ "$(id -u)" -ne 0 ]; then
  : >secret
  chmod 000 secret
  same_code 66 secret true
  mkdir closed
  chmod 555 closed
  same_code 66 closed/f true
fi
if [ -c /dev/full ]; then
  for arguments in '--verbose f true' '--verbose f false' -h -V; do
    # shellcheck disable=SC2086  # several words
    expect_code 1 sh -c '"$0" "$@" >/dev/full' "$real" $arguments
    # shellcheck disable=SC2086
    expect_code 1 sh -c '"$0" "$@" >/dev/full' "$ours" $arguments
    expect_stderr_contains 'No space left'
  done
fi
