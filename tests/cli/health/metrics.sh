#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `metrics` is Prometheus' text format, and --json says the same.
. "$(dirname -- "$0")/../../lib/journal.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

append lock.fail_open '{"lock":"a\"b\\c","reason":"timeout"}'
append lock.fail_open '{"lock":"deploy","reason":"timeout"}'
append lock.fail_open '{"lock":"deploy","reason":"timeout"}'
expect_code 0 "$HOLDFAST" metrics
for sample in 'holdfast_events_total{type="lock.fail_open"} 3' 'holdfast_lock_fail_open_total{lock="deploy"} 2' \
  'holdfast_lock_fail_open_total{lock="a\"b\\c"} 1' 'holdfast_journal_head_seq 4' 'holdfast_journal_segments 1' \
  'holdfast_journal_readable 1' 'holdfast_journal_dropped_total{class="event"} 0'; do
  grep -qxF -e "$sample" "$stdout" || fail "no sample $sample"
done
! grep -vE '^# (HELP|TYPE) holdfast_[a-z_]+ .+$|^holdfast_[a-z_]+(\{[a-z]+="([^"\\]|\\["\\n])*"\})? [0-9]+$' "$stdout" ||
  fail 'a line that is no metric'
[ "$(grep '^# TYPE' "$stdout" | sort | uniq -d)" = '' ] || fail 'a family twice'
expect_code 0 "$HOLDFAST" metrics --json
expect_json '.lock_fail_open.deploy, .events["lock.fail_open"], .head_seq' "$(printf '2\n3\n4')"
