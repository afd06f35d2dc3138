#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --if-busy replace: the run that has the name is stopped by proof, as `stop` does, before the new one begins; of many
# who replace at once never do two run, and each is told what became of it.
# label: system
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# Nothing to replace.
expect_code 0 "$HOLDFAST" run --json --name dev --if-busy replace -- true
expect_json .replaced false
"$HOLDFAST" run --detach --name dev -- sh -c 'trap "" TERM; echo ready; while :; do sleep 600; done' >/dev/null
"$HOLDFAST" logs dev -f | head -n 1 >/dev/null
old=$(record dev .run)
pid=$(record dev .command.pid)
expect_code 0 "$HOLDFAST" run --json --name dev --if-busy replace --grace 200ms --wait 30s -- sh -c "! grep -q sh /proc/$pid/cmdline"
expect_json .replaced true
[ "$(record dev .run)" != "$old" ] || fail 'there is no new run'
before=$HOLDFAST_HOME/sessions/dev/runs
[ "$(jq -r 'select(.run == "'"$old"'") | .reason' "$before"/*/session.json)" = stopped ] || fail 'the old one is not on record as stopped'
jq -r 'select(.run == "'"$old"'") | .asked.by' "$before"/*/session.json | grep -q 'replace, process [0-9]' || fail 'who asked is not on record'
expect_code 0 "$HOLDFAST" journal query --type process.killed --json
jq -r 'select(.data.name == "dev") | .data.reason + " " + .data.by' "$stdout" | grep -q 'stopped run --if-busy replace' || fail 'the kill is not in the journal'

# Eight at once: never two commands at a time. Who is stopped is told so, who came too late as well.
"$HOLDFAST" run --detach --name crowd -- sleep 600 >/dev/null
cat >one <<'SH'
#!/bin/sh
mkdir alone || { echo "$$" >>two; exit 9; }
trap 'rmdir alone; exit 0' TERM
echo in >>began
while :; do sleep 0.05; done
SH
chmod +x one
: >codes
i=0
while [ "$i" -lt 8 ]; do
  (
    code=0
    "$HOLDFAST" run -q --name crowd --if-busy replace -- ./one 2>>said || code=$?
    echo "$code" >>codes
  ) &
  i=$((i + 1))
done
tries=0
until [ "$(wc -l <codes)" -eq 7 ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || fail "$(wc -l <codes) of 7 ended: $(cat said)"
  sleep 0.1
done
[ ! -e two ] || fail 'two ran at a time'
expect_code 0 "$HOLDFAST" stop crowd
wait
[ "$(wc -l <codes)" -eq 8 ] || fail 'one did not answer'
if grep -qvxE '0|75|143|69' codes; then fail "odd codes: $(tr '\n' ' ' <codes)"; fi

# From inside it would stop itself.
expect_code 64 "$HOLDFAST" run --name self -- "$HOLDFAST" run --name self --if-busy replace -- touch second
expect_code 64 "$HOLDFAST" run --if-busy replace -- touch second
expect_code 64 "$HOLDFAST" run --name it --iterations 2 --if-busy replace -- touch second
[ ! -e second ] || fail 'something was started'
