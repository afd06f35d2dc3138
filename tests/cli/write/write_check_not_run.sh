#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where a check cannot be run, because there is no shell or no /proc, nothing is known about the content: 69, and
# the file stays as it is. The same of one that died of a signal.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
unshare -Urm true 2>/dev/null || skip 'namespaces are not allowed here'

printf old >f
printf new >new
expect_code 69 "$HOLDFAST" write f --json --check 'kill -s KILL $$' --from new
expect_cause check-not-run
expect_file f old
printf 'no program' >none
# The paths are those of a shell that runs already.
# shellcheck disable=SC2016 # the inner shell's own variables
expect_code 69 unshare -Urm sh -c 'mount --bind none /bin/sh && exec "$HOLDFAST" write f --json --check true --from new'
expect_cause check-not-run
expect_file f old
# shellcheck disable=SC2016 # the inner shell's own variables
expect_code 69 unshare -Urm sh -c 'mount -t tmpfs none /proc && exec "$HOLDFAST" write f --json --check true --from new'
expect_cause no-proc
expect_file f old
expect_only f new none
