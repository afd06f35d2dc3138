#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The same as loop_forge_killed_anywhere.sh, with the supervisor killed too: its agent goes on, nobody sees how it ends,
# and the world is asked.
# label: sweep
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/forge.inc"
loop_file 's/^items = .*/items = 1000/; s/^attempts = .*/attempts = 20/; s/^failures = .*/failures = 100/'
for request in 1 2 3 4 5 6 7 8 9; do killed_at both "$request"; done
[ -z "$(supervisors)" ] || fail 'somebody is left'
