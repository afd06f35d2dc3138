#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A new block goes where it is told: the line must be there exactly once, outside of blocks and fences.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/block.inc"

block='# >>> holdfast x sha256:73cb3858a687a849\nx\n# <<< holdfast x\n'
check() { # AFTER OPTION…
  printf '#!/bin/sh\na\nb\na \n' >f
  wanted=$1
  shift
  echo x | expect_code 0 put f --id x "$@"
  expect_bytes f "$wanted"
}
check "#!/bin/sh\\na\\nb\\na \\n$block"
check "#!/bin/sh\\na\\nb\\na \\n$block" --at end
check "#!/bin/sh\\n${block}a\\nb\\na \\n" --at start
check "#!/bin/sh\\na\\n${block}b\\na \\n" --before b
check "#!/bin/sh\\na\\n${block}b\\na \\n" --after a
echo x | expect_code 0 put f --id x --at end --json
expect_json .changed false

keep f
echo x | expect_code 65 put f --id y --after x --json
expect_json .error.cause anchor-not-found
echo b >>f
keep f
echo x | expect_code 65 put f --id y --after b
expect_stderr_contains '2 lines'
expect_stderr_contains '6, 8'
expect_kept f
