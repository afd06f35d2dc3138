#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --if-busy beside series, orphans, adopted runs and profiles: a second driver of a series is skipped; an orphan and an
# adopted run are replaced where their end is proven; a profile's run is skipped and replaced like any other.
# label: system
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo go up
# A series.
"$HOLDFAST" run -q --name it --iterations 1 -- sh -c 'echo up >up; read -r _ <go' &
driver=$!
read -r _ <up
expect_code 75 "$HOLDFAST" run -q --name it --iterations 1 -- touch second
expect_code 0 "$HOLDFAST" run -q --name it --iterations 1 --if-busy skip -- touch second
expect_no_stderr
expect_code 0 "$HOLDFAST" run --json --name it --iterations 1 --if-busy skip -- touch second
expect_json .skipped true
expect_code 0 "$HOLDFAST" run -q --name it --if-busy skip -- touch second
# A driver is stopped with its series.
expect_code 0 "$HOLDFAST" run --json --name it --if-busy replace -- true
expect_json .replaced true
wait "$driver" || :

# A profile.
cat >holdfast.toml <<'X'
[session.agent]
command = ["sh", "-c", "echo up >up; read -r _ <go"]
X
"$HOLDFAST" run -q --profile holdfast.toml agent &
first=$!
read -r _ <up
expect_code 0 "$HOLDFAST" run -q --profile holdfast.toml agent --if-busy skip
expect_no_stderr
expect_code 75 "$HOLDFAST" run -q --profile holdfast.toml agent --if-busy wait --wait 50ms
expect_code 0 "$HOLDFAST" run --json --name agent --if-busy replace -- true
expect_json .replaced true
wait "$first" || :

# An orphan, and an adopted run.
orphan() {
  "$HOLDFAST" run --detach --name "$1" -- sleep 600 >/dev/null
  kill -s KILL "$(record "$1" .supervisor.pid)"
  "$HOLDFAST" wait "$1" --until orphaned --timeout 10s >/dev/null
}
orphan adopted
"$HOLDFAST" adopt adopted >/dev/null 2>&1 || skip 'nobody can adopt it here'
pid=$(record adopted .command.pid)
expect_code 0 "$HOLDFAST" run --name adopted --if-busy replace -- sh -c "! grep -q sleep /proc/$pid/cmdline"
orphan lost
pid=$(record lost .command.pid)
[ -n "$(record lost '.cgroup // ""')" ] || skip 'without a control group nobody can prove its end'
expect_code 0 "$HOLDFAST" run --name lost --if-busy replace -- sh -c "! grep -q sleep /proc/$pid/cmdline"
[ ! -e second ] || fail 'two at a time'
