#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A tour of holdfast at its main job, in a few seconds: HOLDFAST=PROGRAM sh examples/demo.sh
# `./dev demo` builds holdfast and runs this. Every step checks what it claims; the exit code is 0 only if
# all of them did what they say.
set -u
: "${HOLDFAST:?HOLDFAST must be the path of the holdfast program; or use ./dev demo}"

bold='' dim='' green='' red='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then
  bold=$(printf '\033[1m') dim=$(printf '\033[2m') plain=$(printf '\033[0m')
  green=$(printf '\033[32m') red=$(printf '\033[31m')
fi
failures=0
case $HOLDFAST in
  /*) ;;
  */*) HOLDFAST=$PWD/$HOLDFAST ;;
esac
work=$(mktemp -d) && cd -- "$work" || exit 1

# What this tour itself started and timeout left behind, by its number and only while it is still ours.
end_escapee() {
  if escapee=$(cat "$work/escapee" 2>/dev/null) && grep -qs "$work" "/proc/$escapee/cmdline"; then
    kill -s KILL "$escapee"
  fi
  rm -f "$work/escapee"
}
trap 'end_escapee; rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

title() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
say() { printf '  %s\n' "$*"; }
typed() { printf '  %s$ %s%s\n' "$dim" "$*" "$plain"; }
check() { # check WHAT ACTUAL EXPECTED
  if [ "$2" = "$3" ]; then
    printf '  %sok%s  %s\n' "$green" "$plain" "$1"
  else
    printf '  %snot so%s  %s: %s, not %s\n' "$red" "$plain" "$1" "$2" "$3"
    failures=$((failures + 1))
  fi
}
# show CMD…: runs it, its output indented; the code is in $code.
show() {
  code=0
  "$@" >"$work/output" 2>&1 || code=$?
  sed 's/^/    /' "$work/output"
}
alive() { if kill -0 "$1" 2>/dev/null; then echo alive; else echo gone; fi; }

# An "agent" of the bad kind: its helper leaves the session, is orphaned on purpose, and ignores TERM.
cat >"$work/agent" <<'END'
#!/bin/sh
( setsid sh -c 'trap "" TERM; echo $$ >"$1/escapee"; while :; do sleep 1; done' helper "$1" & )
while :; do sleep 1; done
END
chmod +x "$work/agent"

title '1. A command runs as if holdfast were not there'
typed "holdfast run -- sh -c 'echo working; exit 3'"
show "$HOLDFAST" run -- sh -c 'echo working; exit 3'
check 'its output and its exit code pass through' "$code" 3

title '2. An agent that does not want to end'
say 'It starts a helper that leaves the session, loses its parent and ignores TERM.'
typed 'timeout 1 ./agent'
show timeout 1 ./agent "$work"
check 'timeout says that time is over' "$code" 124
escapee=$(cat "$work/escapee" 2>/dev/null || echo none)
say "yet process $escapee runs on:"
awk '/^(Name|State|PPid):/ { sub(/\t/, " "); print "    " $0 }' "/proc/$escapee/status"
check "timeout left the helper (pid $escapee) alive" "$(alive "$escapee")" alive
end_escapee

typed 'holdfast run --timeout 1s --grace 1s -- ./agent'
show "$HOLDFAST" run --timeout 1s --grace 1s -- ./agent "$work"
check 'holdfast says that time is over' "$code" 124
escapee=$(cat "$work/escapee" 2>/dev/null || echo none)
check "the helper (pid $escapee) is gone, and so is everything else of the tree" "$(alive "$escapee")" gone
rm -f "$work/escapee"

title '3. Whose exit code is it?'
say 'A command may exit with 124 by itself. The status line tells the two apart.'
typed "holdfast run --status-fd 3 -- sh -c 'exit 124' 3>status"
show "$HOLDFAST" run --status-fd 3 -- sh -c 'exit 124' 3>"$work/status"
sed 's/^/    /' "$work/status"
check 'it was the command' "$(grep -c '"by":"command"' "$work/status")" 1
typed "holdfast run --json -- sh -c 'kill -9 \$\$'"
# shellcheck disable=SC2016  # the inner shell expands it
show "$HOLDFAST" run --json -- sh -c 'kill -9 $$'
check 'death of signal 9 is 128+9' "$code" 137

title '4. A slip of the fingers'
typed 'holdfast rnu -- true'
show "$HOLDFAST" rnu -- true
check 'a wrong command line is 64, with a suggestion' "$code $(grep -c 'did you mean' "$work/output")" '64 1'
typed 'holdfast run -- no-such-agent'
show "$HOLDFAST" run -- no-such-agent
check 'a command that is not there is 127' "$code" 127

echo
if [ "$failures" -eq 0 ]; then
  printf '%sEverything did what it says.%s More: holdfast --help, holdfast help run\n' "$green" "$plain"
else
  printf '%s%d of the claims above are not so.%s\n' "$red" "$failures" "$plain"
  exit 1
fi
