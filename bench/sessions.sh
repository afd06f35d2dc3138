#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Sessions: what a supervised run costs beside timeout(1), how many fit, how fast they start and stop, how fast a tree
# of 2000 is ended, and how fast output is kept beside `cat >file`. SESSIONS=N changes the 1000. Works in build/, so on
# the file system of the tree.
set -eu
cd -P -- "$(dirname -- "$0")"
: "${HOLDFAST:?}"
mkdir -p ../build
work=$(mktemp -d -p "$(cd -P ../build && pwd)" bench-sessions.XXXXXX)
HOLDFAST_HOME=$work/home
export HOLDFAST_HOME
end() {
  "$work/holdfast" stop --all --grace 1 >/dev/null 2>&1 || :
  rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM HUP
table=$work/table
strip -o "$work/holdfast" "$HOLDFAST"
hf=$work/holdfast
count=${SESSIONS:-1000}

# row WHAT OURS BESIDE VALUE TARGET: TARGET is `<=` or `>=` and a number, for VALUE.
row() {
  verdict=$(awk -v value="$4" -v target="$5" 'BEGIN {
    limit = substr(target, 3) + 0
    good = substr(target, 1, 2) == "<=" ? value <= limit : value >= limit
    print good ? "met" : "MISSED" }')
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$5" "$verdict" >>"$table"
}
calc() { awk "BEGIN { printf \"%.$1f\", $2 }"; }
now() { date +%s.%N; }

echo '-- a short command: us'
cc -O2 -Wall -Wextra -o "$work/interleave" interleave.c
"$work/interleave" -o "$work/lines" "${ROUNDS:-300}" 'timeout' timeout 10 true ::: \
  'holdfast run' "$hf" run --timeout 10 -- true ::: \
  'holdfast run --name' "$hf" run --name short --timeout 10 -- true
field() { awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$work/lines"; }
timeout=$(field timeout)
row 'run -- true' "$(field 'holdfast run') us" "timeout 10 true $timeout us" \
  "$(calc 2 "$(field 'holdfast run') / $timeout")" '<=2.0'
printf 'a named run: %s of timeout (two synced records; no target)\n' \
  "$(calc 2 "$(field 'holdfast run --name') / $timeout")"

echo "-- $count detached sessions"
began=$(now)
seq 1 "$count" | xargs -P 2 -I '{}' "$hf" run --detach --name 's{}' -- sleep 3600 >/dev/null
started=$(calc 2 "$(now) - $began")
row "$count sessions start" "$started s" - "$started" "<=$(calc 2 "10 * $count / 1000")"
supervisors=$(jq -r .supervisor.pid "$HOLDFAST_HOME"/sessions/s[0-9]*/session.json)
ticks() { for pid in $supervisors; do awk '{ print $14 + $15 }' "/proc/$pid/stat"; done | awk '{ sum += $1 } END { print sum }'; }
switches() { for pid in $supervisors; do awk '/ctxt_switches/ { sum += $2 } END { print sum }' "/proc/$pid/status"; done | awk '{ sum += $1 } END { print sum }'; }
pss=$(for pid in $supervisors; do awk '/^Pss:/ { print $2 }' "/proc/$pid/smaps_rollup"; done | awk '{ sum += $1; n++ } END { printf "%.0f", sum / n }')
row 'memory of an idle supervisor' "$pss KiB" - "$pss" '<=1024'
before=$(switches) cpu=$(ticks)
sleep 5
row 'their wake-ups in 5 s' "$(($(switches) - before))" - "$(($(switches) - before))" '<=0'
row 'their processor ticks in 5 s' "$(($(ticks) - cpu))" - "$(($(ticks) - cpu))" '<=0'
began=$(now)
"$hf" -q stop --all --grace 5 >/dev/null || echo "stop: $?"
stopped=$(calc 2 "$(now) - $began")
row "$count sessions stop" "$stopped s" - "$stopped" "<=$(calc 2 "5 * $count / 1000")"

echo '-- a tree of 2000 that ignores TERM'
cat >"$work/tree.sh" <<'END'
trap '' TERM
i=0
while [ "$i" -lt 1999 ]; do sleep 3600 & i=$((i + 1)); done
echo up
wait
END
mkfifo "$work/up"
"$hf" run --name tree --grace 0 -- sh "$work/tree.sh" >"$work/up" &
read -r _ <"$work/up"
began=$(now)
"$hf" -q stop tree --grace 0 >/dev/null || echo "stop: $?"
killed=$(calc 2 "$(now) - $began")
row 'a tree of 2000 is killed' "$killed s" - "$killed" '<=1'
wait

echo '-- 512 MiB of output'
bytes=$((512 << 20))
rate() { calc 0 "$bytes / 1048576 / ($(now) - $1)"; }
ours=0 cats=0
for _ in 1 2 3; do
  began=$(now)
  head -c "$bytes" /dev/zero | cat >"$work/cat"
  each=$(rate "$began")
  [ "$each" -le "$cats" ] || cats=$each
  rm "$work/cat"
  began=$(now)
  "$hf" run --name prints --log-max 1G -- head -c "$bytes" /dev/zero >/dev/null
  each=$(rate "$began")
  [ "$each" -le "$ours" ] || ours=$each
  rm -rf "$HOLDFAST_HOME/sessions/prints"
done
row 'output kept' "$ours MiB/s" "cat >file $cats MiB/s" "$(calc 2 "$ours / $cats")" '>=0.5'

{
  printf 'what\tours\tbeside\tvalue\ttarget\t\n'
  cat "$table"
} | column -t -s "$(printf '\t')"
