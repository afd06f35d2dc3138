#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Content that is empty, too small, or shrank too much is refused with 65 and its own cause.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# refused CAUSE WORD…
refused() {
  cause=$1
  shift
  expect_code 65 write f --json "$@"
  expect_cause "$cause"
  expect_file f 0123456789
}
printf 0123456789 >f
# jq on empty input prints nothing and is content with that.
: >empty
refused empty -- jq . empty
refused empty --from empty
refused empty --min-bytes 0 -- true
refused too-small --min-bytes 3 -- printf ab
refused too-small --min-bytes 1KiB --allow-empty -- printf ab
refused shrunk --max-shrink 20% -- printf 1234567
refused shrunk --max-shrink 2 -- printf 1234567
refused shrunk --max-shrink 0% -- printf 123456789
refused shrunk --max-shrink 1 --allow-empty -- true

expect_code 0 write f --max-shrink 20% -- printf 12345678
expect_code 0 write f --max-shrink 2 --min-bytes 6 -- printf 123456
expect_code 0 write f --max-shrink 100% --allow-empty -- true
expect_file f ''
expect_code 0 write fresh --max-shrink 0 --allow-empty -- true
expect_file fresh ''
expect_only empty f fresh
