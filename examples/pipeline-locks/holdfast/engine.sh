#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# engine.sh SESSION COUNT [--take-over] -- AGENT…: runs AGENT… NUMBER for 1 to COUNT, and goes on where it was.
# engine.sh status SESSION: where it is, and who has it.
#
# The session's lock is that of its state file. It is held from `acquire` to the end of this script, whatever ends it,
# and there is nothing to clean up at a start. Every write of the state shows the token, so that an engine whose
# lock is another's by now changes nothing. Each iteration is a step that is run once: if this engine is killed, its
# agent works on, and the next engine waits for that one instead of starting a second.
#
# 0 all done; 75 the session is held by another, who is named, or the agent of an earlier engine does not come to its end;
# 76 lost to another; the agent's code where it failed.
set -u
: "${HOLDFAST:=holdfast}" "${PIPELINE_TTL:=15m}" "${PIPELINE_LIMIT:=10m}" # of the lease, and of one iteration
runs=${PIPELINE_RUNS:-runs}

hf() { "$HOLDFAST" "$@"; }
say() { printf '%s: %s\n' "$session" "$*" >&2; }

if [ "$1" = status ]; then
  jq . "$runs/$2/state.json"
  exec "$HOLDFAST" locks --file "$runs/$2/state.json"
fi
session=$1 count=$2 busy=(-w 2s)
shift 2
case $session in *[!A-Za-z0-9_-]* | '') echo "not a name of a session: $session" >&2; exit 64 ;; esac
if [ "$1" = --take-over ]; then busy=(-w 1m --on-expired take); shift; fi # only from a holder that is silent for the ttl
[ "$1" = -- ] && shift
state=$runs/$session/state.json
status=$runs/$session/status.$$ # of this engine alone: one that has lost the session may still be at work

hf ensure --dir "$runs/$session" --parents -q >/dev/null || exit
token=$(hf acquire --file "$state" --ttl "$PIPELINE_TTL" "${busy[@]}" --reason "engine of $session") || exit
lock=file:$(realpath -- "$state")
trap 'rm -f "$status"; holding release --file "$state" -q' EXIT

# holding COMMAND…: holdfast with the token of our lock, in the environment, because others can read arguments.
holding() { HOLDFAST_LOCK=$lock HOLDFAST_TOKEN=$token "$HOLDFAST" "$@"; }

# set_state FILTER [JQ OPTION…]: as long as the lock is ours, whole or not at all.
set_state() {
  local code=0 from=(-n)
  [ ! -e "$state" ] || from=("$state")
  holding write "$state" --check json -q -- jq "$@" "${from[@]}" || code=$?
  [ "$code" -ne 77 ] || { say 'the lock is lost'; exit 76; }
  [ "$code" -eq 0 ] || exit "$code"
}

# renew: the lock is ours still, and for another ttl.
renew() {
  local code=0
  holding renew --file "$state" --progress -q || code=$?
  case $code in
    0) ;;
    77) say 'the lock is lost'; exit 76 ;;
    *) exit "$code" ;; # whose it is cannot be told
  esac
}

# iterate NUMBER AGENT…: 0 where a run of it has succeeded, now or under an engine before us. An agent of an earlier engine
# is waited for, three times at most, as nobody knows why that is not enough then.
iterate() {
  local number=$1 code try key=$session.$run.$1
  shift
  for try in 1 2 3 last; do
    renew
    code=0
    hf once "$key" --timeout "$PIPELINE_LIMIT" --status-fd 3 -- "$@" "$number" 3>"$status" || code=$?
    [ "$code" -eq 75 ] && jq -e '.by == "holdfast"' "$status" >/dev/null || return "$code"
    [ "$try" != last ] || break
    say "iteration $number: the agent of an earlier engine still works; waiting for it"
    hf wait "once:$key" --timeout "$PIPELINE_LIMIT" >/dev/null || :
  done
  say "iteration $number: the agent of an earlier engine has not come to its end; see: holdfast show once:$key"
  exit 75
}

if [ -e "$state" ] && ! jq -e '.run and .status and .completed >= 0' "$state" >/dev/null; then
  say "damaged, and left as it is: $state"
  exit 65
elif [ ! -e "$state" ] || [ "$(jq -r .status "$state")" = complete ]; then # a new run, with steps of its own
  set_state --arg run "$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')" '{$run, completed: 0, status: "running"}'
fi
run=$(jq -r .run "$state") completed=$(jq -r .completed "$state")
for ((number = completed + 1; number <= count; number++)); do
  code=0
  iterate "$number" "$@" || code=$?
  if [ "$code" -ne 0 ]; then
    set_state --argjson n "$number" --argjson c "$code" '.status = "failed" | .failed = {iteration: $n, code: $c}'
    say "iteration $number failed with $code"
    exit "$code"
  fi
  set_state --argjson n "$number" '.completed = $n | .status = "running" | del(.failed)'
done
set_state '.status = "complete"'
