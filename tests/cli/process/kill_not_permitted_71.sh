#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A process that the kernel does not let us signal is 71, and no kill of it is announced.
# label: system
. "$(dirname -- "$0")/../../lib/process.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
tidy_processes

[ "$(id -u)" -eq 0 ] || skip 'needs root to have a process of another user'
chmod 711 "$scratch" "$scratch/work"
cp "$HOLDFAST" holdfast
as_nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
mkdir -m 700 theirs
chown 65534:65534 theirs
# shellcheck disable=SC2086  # words
$as_nobody ./holdfast --version >/dev/null || skip 'cannot run as another user here'
start sleep-forever
line=$("$HOLDFAST" identify "$pid")
HOLDFAST_HOME=$PWD/theirs/home
export HOLDFAST_HOME
for tree in '' --tree; do
  # shellcheck disable=SC2086
  expect_code 71 $as_nobody ./holdfast kill "$line" $tree --json
  expect_json .outcome not_permitted
done
expect_lives "$pid"
# shellcheck disable=SC2086
expect_code 0 $as_nobody ./holdfast journal count --type process.killed
expect_stdout_is 0
end "$pid"
