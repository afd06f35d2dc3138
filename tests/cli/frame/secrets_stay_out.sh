#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whatever a command line or shell line holds beyond its first word stays out of the journal, the ledgers and the
# records, whether it succeeds, fails or is refused, and so does a token. The exceptions are those that SECURITY.md lists.
# Every command of the table is run.
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

# The program itself, and a note of each command that it is given.
program=$HOLDFAST
HOLDFAST=$scratch/noting
{
  echo '#!/bin/sh'
  echo '[ "$1" != --hook ] || { echo "$2 $3" >>'"'$scratch/called'"'; exec '"'$program'"' "$@"; }'
  echo 'echo "$1 ${2-}" >>'"'$scratch/called'; exec '$program'"' "$@"'
} >"$HOLDFAST"
chmod +x "$HOLDFAST"

# try CMD…: every outcome is good, as long as the command line was understood.
try() {
  code=0
  "$@" >>"$scratch/said" 2>&1 <text || code=$?
  [ "$code" -ne 64 ] || fail "64: $*: $(tail -n 1 "$scratch/said")"
}
echo hush-text >text
for end in 0 1; do
  line="exit $end # hush-line"
  try "$HOLDFAST" run --name r$end --verify "$line" --on-end "$line" --on-failure "$line" --on-success "$line" \
    -- sh -c "exit 0 # hush-arg"
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
  try "$HOLDFAST" lock l -- sh -c "$other run --name i$end --lock l --if-busy skip -- true hush-arg; $line"
  try "$HOLDFAST" lock l -- sh -c "$other lock l --if-busy skip -- true hush-arg; $line"
  try "$HOLDFAST" until --timeout 1ms -- sh -c "$line"
  try "$HOLDFAST" journal anchor --to-command "$line"
  try "$HOLDFAST" --hook lock h -- sh -c "$line"
  new "s$end" --authority "command:p/s$end"
  try "$HOLDFAST" workspace attach "s$end" --guest -- sh -c "$line"
  try "$HOLDFAST" workspace resume "s$end" -- sh -c "$line"
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

# What works on a run: shown, waited for, adopted, resumed, stopped, killed.
line='exit 0 # hush-line'
try "$HOLDFAST" run --detach --name d --env HUSH=hush-env --verify "$line" --on-end "$line" -- sh -c 'exec sleep 600 # hush-arg'
for command in ps show history logs wait; do
  name=d
  [ "$command" != ps ] || name=-a
  [ "$command" != wait ] || name='d --timeout 1ms'
  # shellcheck disable=SC2086 # words
  try "$HOLDFAST" "$command" $name
done
kill -s KILL "$(jq .supervisor.pid "$HOLDFAST_HOME/sessions/d/session.json")"
"$HOLDFAST" wait d --until orphaned
try "$HOLDFAST" adopt d
try "$HOLDFAST" kill d --grace 0
try "$HOLDFAST" stop d --grace 0
try "$HOLDFAST" resume r0
"$HOLDFAST" identify self >id
try "$HOLDFAST" alive @id
cat >layers.toml <<X
[[layer]]
name = "one"
command = ["sh", "-c", "echo hush-layer; $line"]
[[layer]]
name = "two"
command = ["sh", "-c", "exit 1 # hush-line"]
X
try "$HOLDFAST" layers layers.toml
sed -i 's/exit 1/echo two/' layers.toml
try "$HOLDFAST" layers layers.toml
try "$HOLDFAST" layers layers.toml --exec -- echo '{layers}' hush-arg
cat >holdfast.toml <<X
[session.agent]
command = ["sh", "-c", "$line", "{layers}"]
env = { HUSH = "hush-env" }
layers = "layers.toml"
verify = "$line"
[[session.agent.refresh]]
path = "refreshed"
command = "echo; $line"
X
try "$HOLDFAST" profile check holdfast.toml
try "$HOLDFAST" run --profile agent
sed -i 's/^command = "echo; /command = "exit 1; /' holdfast.toml
try "$HOLDFAST" run --profile agent

# Locks by token.
held=$("$HOLDFAST" acquire t --ttl 1h --owner none)
for command in check renew release release; do try "$HOLDFAST" "$command" t --token "$held"; done
"$HOLDFAST" acquire t --ttl 1h --owner none >again
try "$HOLDFAST" release t --token "$held"
try "$HOLDFAST" write tf --allow-unchecked --token "$held"
try "$HOLDFAST" break t --id "$("$HOLDFAST" locks t --json | jq -r .break_id)" --reason stale

# Files: their content is nobody's business.
printf '[[path]]\npath = "made"\ntype = "file"\nmode = "0600"\ninitial = "hush-initial"\n' >manifest.toml
try "$HOLDFAST" ensure manifest.toml
try "$HOLDFAST" ensure manifest.toml --check
for command in put get list check remove strip-orphans; do
  case $command in list | check | strip-orphans) set -- blocks ;; *) set -- blocks --id b ;; esac
  try "$HOLDFAST" block "$command" "$@"
done
echo '{"note":"hush-entry"}' >text
try "$HOLDFAST" ledger append entries.jsonl
for command in last check repair; do try "$HOLDFAST" ledger "$command" entries.jsonl; done
echo '{"note":"hush-cut' >>entries.jsonl
for command in append check repair; do try "$HOLDFAST" ledger "$command" entries.jsonl; done

# Steps, loops, workspaces and the trash, by name.
for step in once attempt notify; do
  for command in 'show k0' list 'forget k1'; do
    # shellcheck disable=SC2086 # words
    try "$HOLDFAST" step $command --kind "$step"
  done
done
for command in status pause resume; do try "$HOLDFAST" loop "$command" loop0.toml; done
for command in retry 'done'; do try "$HOLDFAST" loop "$command" loop0.toml one; done
new w
for command in get set detach end; do try "$HOLDFAST" workspace "$command" w; done
try "$HOLDFAST" workspace list
try "$HOLDFAST" gc --grace 0 --rescue "$line" --allow-all
try "$HOLDFAST" trash list
try "$HOLDFAST" trash restore w
try "$HOLDFAST" workspace forget w
try "$HOLDFAST" trash purge --all

# The journal, and what looks at the home.
try "$HOLDFAST" journal append --type x.note --data '{"open":1}'
for command in query count verify repair rotate; do try "$HOLDFAST" journal "$command"; done
try "$HOLDFAST" journal export --format jsonl
try "$HOLDFAST" journal follow --limit 1 --budget 1s
for command in doctor metrics locks; do try "$HOLDFAST" "$command"; done
try "$HOLDFAST" help run
mkdir old
echo hush-lock >old/.x.lock

# leaves: the command table, as the program tells it.
leaves() {
  "$program" help | sed '/^Topics/,$d' | sed -n 's/^  \([a-z]\{1,\}\)\( \.\.\.\)\{0,1\}  .*/\1\2/p' | while read -r name group; do
    [ -n "$group" ] || echo "$name"
    "$program" help "$name" | sed -n "s/^  \($name [a-z-]\{1,\}\)  .*/\1/p"
  done | sort -u
}
leaves >"$scratch/leaves"
[ "$(wc -l <"$scratch/leaves")" -gt 65 ] || fail "only $(wc -l <"$scratch/leaves") commands: the table is not read right"
awk 'NR == FNR { known[$0]; next } { print ($1 " " $2 in known) ? $1 " " $2 : $1 }' "$scratch/leaves" "$scratch/called" |
  sort -u | comm -23 "$scratch/leaves" - >"$stdout"
[ ! -s "$stdout" ] || fail 'commands that nobody has tried'

"$HOLDFAST" journal count >"$stdout"
[ "$(cat "$stdout")" -gt 50 ] || fail 'the journal holds next to nothing'

# The exceptions: the order of a session, the command of a series, the plan of a gc, the text of a notice until it is sent
# (and not the rest of its record). An authority is a name, and no place for a secret.
find "$HOLDFAST_HOME" -name '*session.json' -exec jq -c 'del(.order)' {} + >"$scratch/sessions"
find "$HOLDFAST_HOME" -name series.json -exec jq -c 'del(.command)' {} + >"$scratch/series"
find "$HOLDFAST_HOME/once" -name 'notify%3A*.json' -exec jq -c 'del(.kept.texts, .pending.notice.texts)' {} + >"$scratch/notices"
[ -s "$scratch/notices" ] || fail 'there is no record of a notice'
if grep -h hush "$scratch/sessions" "$scratch/series" "$scratch/notices" >"$stdout"; then
  fail 'a record, beside the order and the text'
fi
if grep -rla -e "$held" -e "$token" "$HOLDFAST_HOME/journal" >"$stdout"; then fail 'a token is in the journal'; fi
if grep -rla hush "$HOLDFAST_HOME" --exclude=session.json --exclude=series.json --exclude='plan-*.json' \
  --exclude='notify%3A*.json' --exclude='notify%3A*.text' >"$stdout"; then
  fail 'a secret was written'
fi
find "$HOLDFAST_HOME" -type f -perm /077 -exec ls -l {} + >"$stdout"
[ ! -s "$stdout" ] || fail 'a file that others can read'
