#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The loop is killed at each request that the life of an issue makes to the forge. The next one brings the issue to its
# end: one agent, one pull request, one merge, closed, and nobody is told anything twice.
# label: sweep
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/forge.inc"
loop_file 's/^items = .*/items = 1000/; s/^attempts = .*/attempts = 20/; s/^failures = .*/failures = 100/'
for request in 1 2 3 4 5 6 7 8 9; do killed_at loop "$request"; done
[ -z "$(supervisors)" ] || fail 'somebody is left'
