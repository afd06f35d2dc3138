# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# What the black-box tests share. A test is one behaviour, about 25 lines:
#
#   #!/bin/sh
#   # SPDX-License-Identifier: Apache-2.0
#   # What is promised, in a sentence.
#   # label: system                        (left out: unit)
#   . "$(dirname -- "$0")/../lib/lib.sh"
#   expect_code 64 "$HOLDFAST" frobnicate
#   expect_stderr_contains 'unknown command'
#
# It runs in a fresh scratch directory that is removed at the end, with $HOLDFAST_HOME inside it, so
# that tests run in parallel and in any order. After expect_code, the command's output is in the files
# $stdout and $stderr. A check that fails ends the test with 1; `skip REASON` ends it with 4.
set -eu
export LC_ALL=C
: "${HOLDFAST:?HOLDFAST must be the path of the program under test}"
HOLDFAST=${HOLDFAST_IN_WORLD:-$HOLDFAST}

scratch=$(mktemp -d "${TMPDIR:-/tmp}/holdfast-test.XXXXXX")
scratch=$(cd -P -- "$scratch" && pwd)
# A supervisor in the background, or an engine behind a container, may still be writing its last lines into it.
remove_with_patience() {
  removals=0
  until rm -rf -- "$1" 2>/dev/null; do
    removals=$((removals + 1))
    [ "$removals" -lt 100 ] || { rm -rf -- "$1"; return; }
    sleep 0.1
  done
}
# The control groups of runs whose supervisor a test has killed: once the records are gone, nobody knows them.
remove_groups() {
  runs=$(grep -rhoE '"run":"[0-9a-f]{16}' "$scratch" --include=session.json 2>/dev/null | cut -c8- | sort -u)
  [ -n "$runs" ] || return 0
  find /sys/fs/cgroup -depth -type d -name 'holdfast-*' 2>/dev/null | while read -r group; do
    case $runs in *"${group##*/holdfast-}"*) rmdir -- "$group" 2>/dev/null || : ;; esac
  done
}
remove_scratch() {
  remove_groups
  remove_with_patience "$scratch"
}
# remove_session DIR: while its supervisor lives, and may be at work in it: at once out of its place, and then away.
remove_session() {
  mv -- "$1" "$scratch/removed"
  remove_with_patience "$scratch/removed"
}
trap remove_scratch EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$scratch/work"
cd -- "$scratch/work"

HOLDFAST_HOME=$scratch/home
HOME=$scratch
export HOLDFAST_HOME HOME
unset XDG_STATE_HOME XDG_CONFIG_HOME NO_COLOR HOLDFAST_LOCK HOLDFAST_CHAIN HOLDFAST_TOKEN HOLDFAST_FENCE HOLDFAST_DEADLINE HOLDFAST_HELD HOLDFAST_WITHOUT HOLDFAST_ATTACHED
stdout=$scratch/stdout
stderr=$scratch/stderr
: >"$stdout"
: >"$stderr"

fail() {
  printf 'FAIL: %s\n' "$*" >&2
  printf -- '--- stdout of the last command\n' >&2
  cat -- "$stdout" >&2
  printf -- '--- stderr of the last command\n' >&2
  cat -- "$stderr" >&2
  exit 1
}

skip() {
  printf 'SKIP: %s\n' "$*"
  exit 4
}

# expect_code N CMD…: runs CMD (its stdin is the caller's) and demands exit code N.
expect_code() {
  expected=$1
  shift
  code=0
  "$@" >"$stdout" 2>"$stderr" || code=$?
  [ "$code" -eq "$expected" ] || fail "exit code $code, not $expected: $*"
}

expect_stdout_contains() { grep -qF -e "$1" -- "$stdout" || fail "stdout lacks: $1"; }
expect_stderr_contains() { grep -qF -e "$1" -- "$stderr" || fail "stderr lacks: $1"; }
expect_stdout_is() { [ "$(cat -- "$stdout")" = "$1" ] || fail "stdout is not: $1"; }
expect_no_stdout() { [ ! -s "$stdout" ] || fail 'stdout is not empty'; }
expect_no_stderr() { [ ! -s "$stderr" ] || fail 'stderr is not empty'; }

# json_field FILTER: a field of the JSON document on the last stdout, by a jq filter: json_field .code
json_field() {
  jq -e -r -s 'if length == 1 then .[0] else error("not exactly one document") end | '"$1"' | tostring' \
    <"$stdout" || fail "no field $1 in the one JSON document of stdout"
}

# expect_json FILTER VALUE
expect_json() {
  actual=$(json_field "$1") || exit 1
  [ "$actual" = "$2" ] || fail "$1 is $actual, not $2"
}
