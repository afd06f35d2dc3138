#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Newest records, the newest segment, or all segments that somebody removed are missed: `verify` fails (65) before and
# after the next append, readers call it damage and not retention, and only `journal repair` makes it known. The next append goes into a new segment.
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
# As an ordinary user, for whom a sealed segment is one that may only be read; if that one can read test and program.
as_nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
if [ "$(id -u)" -eq 0 ]; then
  chmod 755 "$scratch"
  mkdir "$scratch/nobody"
  chown 65534:65534 "$scratch/nobody"
  if $as_nobody sh -c '[ -x "$0" ] && [ -r "$1" ] && [ -w "$2" ]' "$HOLDFAST" "$this_test" "$scratch/nobody"; then
    code=0
    TMPDIR=$scratch/nobody $as_nobody sh "$this_test" || code=$?
    exit "$code"
  fi
fi
append() { "$HOLDFAST" journal append -q --type x.a --class "${1:-decision}" --data '{}' >/dev/null; }
journal=$HOLDFAST_HOME/journal
for _ in 1 2 3 4 5 6; do append; done
"$HOLDFAST" journal rotate -q
append
append event
cp -rp "$HOLDFAST_HOME" saved
newest=seg-0000000000000009.jsonl

cut_records() { head -n 2 "saved/journal/$newest" >"$journal/$newest"; }
remove_newest() { rm "$journal/$newest"; }
remove_all() { rm "$journal"/seg-*; }
# damaged COMMAND…: 65, and not called retention.
damaged() {
  expect_code 65 "$HOLDFAST" journal "$@"
  ! grep -q 'were dropped' "$stderr" || fail "$*: it is called retention"
}
for tamper in cut_records remove_newest remove_all; do
  rm -rf "$HOLDFAST_HOME"
  cp -rp saved "$HOLDFAST_HOME"
  expect_code 0 "$HOLDFAST" journal verify
  "$tamper"
  damaged verify
  expect_stdout_contains 'missing'
  expect_code 0 append
  damaged verify
  damaged query
  damaged count
  expect_code 0 "$HOLDFAST" journal repair
  expect_code 0 "$HOLDFAST" journal verify
  expect_stdout_contains known
  expect_code 0 "$HOLDFAST" journal query
  expect_stderr_contains 'known damage'
  ! grep -q 'were dropped' "$stderr" || fail 'repaired damage is called retention'
done
# Repaired without an append in between, it is known too.
rm -rf "$HOLDFAST_HOME"
cp -rp saved "$HOLDFAST_HOME"
cut_records
expect_code 0 "$HOLDFAST" journal repair
expect_code 0 "$HOLDFAST" journal verify
