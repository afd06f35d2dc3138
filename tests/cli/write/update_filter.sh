#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The filter reads the old content and nothing else; the same output changes nothing, a failing one is not used.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf 'b\na\n' >f
before=$(stat -c %i f)
expect_code 0 update f --json -- cat
expect_json .changed false
[ "$(stat -c %i f)" = "$before" ] || fail 'the same content was written again'
for bad in 'cat; exit 3' 'exit 0' 'cat; kill -9 $$' 'exec no_such_program_here'; do
  expect_code 65 update f -- sh -c "$bad"
  expect_file f 'b
a
'
done
expect_code 65 update f --check json -- cat
expect_code 65 update f --max-shrink 10% -- head -n 1
expect_code 0 update f --pipe -- sort '|' tr a-z A-Z
expect_file f 'A
B
'
# A filter that reads only a part of it is its own business.
expect_code 0 update f -- head -n 1
expect_file f 'A
'
# The caller's stdin is not the filter's.
printf 'not this' | expect_code 0 update fresh --create --allow-empty -- cat
expect_file fresh ''
