#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# 64 MiB go through holdfast in at most 8 MiB of memory, from a command, a pipe and a file. Counted is its own memory: of
# the program's file the kernel maps as much as it finds in its cache, which says nothing about the program.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v prlimit >/dev/null || skip 'prlimit(1) is not installed'
prlimit --core=0 --as=500000000 "$HOLDFAST" --version >"$stdout" 2>"$stderr" || skip 'a sanitizer takes all memory'

# The check is told the process by the path of the staged file, and looks at what it has while all content is staged.
peak='sed -n "s/^RssAnon:[^0-9]*\([0-9]*\) kB/\1/p" "${1%/fd/*}/status" >../peak'
size=$((64 << 20))
gen() { head -c "$size" /dev/zero | tr '\0' x; }
small() {
  [ "$(stat -c %s f)" -eq "$size" ] || fail "$1: $(stat -c %s f) bytes"
  [ "$(cat ../peak)" -le 8192 ] || fail "$1: $(cat ../peak) KiB of its own"
  echo "$1: $(cat ../peak) KiB of its own"
}
options='--durability none'
# shellcheck disable=SC2086 # words
{
  gen >source
  expect_code 0 write f $options --check "$peak" -- cat source
  small 'from a command'
  rm f
  gen | expect_code 0 write f $options --check "$peak"
  small 'from a pipe'
  rm f
  expect_code 0 write f $options --check "$peak" --from source
  small 'from a file'
  # With an old one to be compared with, and a second look at the new one.
  expect_code 0 update f $options --check true --check "$peak" -- tr x y
  small 'through a filter'
}
