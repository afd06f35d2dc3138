#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The mode of the old file is kept, that of --mode is exact whatever the umask, and --meta pin keeps nothing.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

for mask in 000 077 027; do
  umask "$mask"
  rm -f f new
  printf old >f
  chmod 2751 f
  expect_code 0 write f -- printf one
  expect_mode f 2751
  expect_code 0 write f --mode 0664 -- printf one
  expect_mode f 664
  expect_code 0 write f -m 4711 -- printf two
  expect_mode f 4711
  expect_code 0 write f --meta pin --mode 0604 -- printf three
  expect_mode f 604
  expect_code 0 write new -- printf x
  [ "$(mode_of new)" = "$(printf '%o' $((0666 & ~0$mask)))" ] || fail "umask $mask: $(mode_of new)"
  expect_code 0 write new --meta keep --mode 600 -- printf y
  expect_mode new 600
done
umask 022
expect_code 78 write f --owner no_such_user_here -- printf x
expect_stderr_contains no_such_user_here
