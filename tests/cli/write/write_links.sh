#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Links in the path are refused by name, followed, or replaced, as --links says; a dangling one is never guessed.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkdir real
printf victim >real/victim
ln -s real way
ln -s real/victim link
ln -s nowhere dangling
ln -s round round
refused() {
  cause=$1
  shift
  expect_code 77 write --json "$@" -- printf new
  expect_cause "$cause"
  expect_file real/victim victim
}
refused is-link link
refused is-link way/victim
refused is-link "$PWD/way/victim"
refused is-link real/../way/victim
refused is-link dangling
refused is-link round
refused is-link way/victim --links replace
refused dangling-link dangling --links follow
refused too-many-links round --links follow
refused is-link link --in-place
expect_code 77 update link -- printf new
expect_code 77 write way -- printf new
expect_code 0 write link --links follow -- printf followed
expect_file real/victim followed
expect_code 0 write way/victim --links follow -- printf through
expect_file real/victim through
[ "$(readlink link)" = real/victim ] || fail 'the link has changed'
expect_code 0 write link --links replace -- printf replaced
[ ! -L link ] || fail 'it is still a link'
expect_file link replaced
expect_file real/victim through
expect_code 0 write dangling --links replace -- printf x
[ ! -e nowhere ] || fail 'it wrote through the dangling link'
expect_only dangling link real round way
