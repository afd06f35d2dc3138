#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Under the name flock every option of flock(1), long, short and shortened, is read as util-linux reads it, and a
# wrong line has its exit code; nothing is run then.
. "$(dirname -- "$0")/../../lib/flock.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
both_flocks

for options in -s --shared -x -e --exclusive -u --unlock -n --nb --nonblock --nonblocking -o --close -F --no-fork \
  --verbose '-w 5' --wait=5 '--timeout 5' '-E 7' --conflict-exit-code=7 -snoE7 '-n -w 1 -E 2' --sh --ex --u --nonb \
  --cl --no- --ver --verb --t=1 --wa=1 --con=3 --co=3 '-s -x' --; do
  # shellcheck disable=SC2086  # several words
  same $options f sh -c 'exit 5'
done
same_code 5 -snoE7 f sh -c 'exit 5'

for options in -Z --wat --n --no --c --ve --close=1 --shared= -w -E --timeout -c '-c true' -1 '-o -F' '-oF f true' \
  '-w x f true' '-w 1s f true' '-w 1,5 f true' '-w . f true' '-E x f true' '-E -1 f true' '-E 256 f true' \
  '-E 99999999999 f true' '-E 5x f true' '-n' '--' 'f' '9x' '0x1' '99999999999' 'f -c' 'f --command' 'f -c a b' \
  '-Z -V' '-nZ' '-Zn f true' '-w x -V' '-?'; do
  # shellcheck disable=SC2086
  same_code 64 $options
  [ ! -s "$stdout" ] || fail "stdout: $options"
done
same_code 64
same_code 64 -w '' f true
same_code 64 -w '1 ' f true
same_code 64 -E '' f true
same_code 64 ''

# What no timer takes is found out only when it is set.
for seconds in -1 -0.5 nan inf -inf 1e30 1e400 9.3e18 9223372036854775807; do
  same_code 71 -w "$seconds" f true
  same_code 71 -n -w "$seconds" f true
done
for seconds in 0 -0 .5 1. 1e3 ' 1' +1 0x10 0x1p3 9e18 1e-7 -1e-7 0.1234567; do
  same_code 0 -w "$seconds" f true
done
same_code 0 -E ' 5' f true

for about in -h --help --hel -V --version --vers '-h -Z' '-nV' '-V -w x'; do
  # shellcheck disable=SC2086
  same_code 0 $about
done
for word in --shared --exclusive --unlock --nonblock --timeout --conflict-exit-code --close --command --no-fork \
  --verbose --help --version -s -x -u -n -w -E -o -c -F -h -V; do
  "$ours" --help | grep -q -e "$word" || fail "the help does not show $word"
done

# Behind the file nothing is an option of flock's.
same_code 69 f -n
same_code 69 f -- true
same_code 69 f --comm true
