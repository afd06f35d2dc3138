#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whatever a command line or shell line holds beyond its first word stays out of the journal, the ledgers and the
# records, whether it succeeds, fails or is refused. The exceptions are those that SECURITY.md lists.
. "$(dirname -- "$0")/lib.sh"
. "$(dirname -- "$0")/gc.inc"

# try CMD…: every outcome is good, as long as the command line was understood.
try() {
  code=0
  "$@" >>"$scratch/said" 2>&1 <text || code=$?
  [ "$code" -ne 64 ] || fail "64: $*: $(tail -n 1 "$scratch/said")"
}
echo hush-text >text
for end in 0 1; do
  line="exit $end # hush-line"
  try "$HOLDFAST" run --name r$end --verify "$line" --on-end "$line" -- sh -c "exit 0 # hush-arg"
  try "$HOLDFAST" run --name gone$end --on-end "$line" -- ./no-such-program hush-arg
  try "$HOLDFAST" run --name i$end --iterations 2 --until "$line" --progress "$line" -- sh -c "exit $end # hush-arg"
  other="env -u HOLDFAST_CHAIN '$HOLDFAST'"
  try "$HOLDFAST" lock l -- sh -c "$other run --name b$end --lock l --wait 0 -- true hush-arg; $line"
  try "$HOLDFAST" lock l -- sh -c "$other lock l -n -- true hush-arg; $line"
  try "$HOLDFAST" lock l -- sh -c "$other lock l -n --fail-open timeout -- true hush-arg; $line"
  try sh -c "T=\$('$HOLDFAST' acquire a --owner \$\$); '$HOLDFAST' acquire a -n; '$HOLDFAST' locks; $line"
  try "$HOLDFAST" write "w$end" --check "$line" -- sh -c "echo; $line"
  try "$HOLDFAST" update "w0" --check "$line" -- sh -c "cat; $line"
  try "$HOLDFAST" once "k$end" --verify "$line" -- sh -c "$line"
  try "$HOLDFAST" attempt "k$end" --max 2 -- sh -c "$line"
  try "$HOLDFAST" notify "k$end" -- sh -c "$line"
  try "$HOLDFAST" tick "k$end" -- sh -c "$line"
  try "$HOLDFAST" until --timeout 1ms -- sh -c "$line"
  try "$HOLDFAST" journal anchor --to-command "$line"
  try "$HOLDFAST" --hook lock h -- sh -c "$line"
  new "s$end" --authority "command:p/s$end"
  try "$HOLDFAST" session attach "s$end" --guest -- sh -c "$line"
  try "$HOLDFAST" session resume "s$end" -- sh -c "$line"
  try "$HOLDFAST" gc --grace 0 --probe "p=$line"
  try "$HOLDFAST" gc --grace 0 --probe "p=$line" --rescue "$line" --allow-all
  try "$HOLDFAST" gc --grace 0 --runs --rescue "$line"
  cat >"loop$end.toml" <<Y
[loop]
source = "echo '{\"id\":\"one\"}'; $line"
run = ["sh", "-c", "$line"]
verify = ["sh", "-c", "$line"]
notify = ["sh", "-c", "$line"]
on_failure = ["sh", "-c", "$line"]
attempts = 1
Y
  try "$HOLDFAST" loop "loop$end.toml" --once
done
"$HOLDFAST" journal count >"$stdout"
[ "$(cat "$stdout")" -gt 50 ] || fail 'the journal holds next to nothing'

# The exceptions: the order of a session, the command of a series, the plan of a gc, the text of a notice.
find "$HOLDFAST_HOME" -name '*session.json' -exec jq -c 'del(.order)' {} + >"$scratch/sessions"
find "$HOLDFAST_HOME" -name series.json -exec jq -c 'del(.command)' {} + >"$scratch/series"
if grep -h hush "$scratch/sessions" "$scratch/series" >"$stdout"; then fail 'a record, beside the order'; fi
if grep -rla hush "$HOLDFAST_HOME" --exclude=session.json --exclude=series.json --exclude='plan-*.json' \
  --exclude='notify%3A*' >"$stdout"; then
  fail 'a secret was written'
fi
find "$HOLDFAST_HOME" -type f ! -perm 600 >"$stdout"
[ ! -s "$stdout" ] || fail 'a file that others can read'
