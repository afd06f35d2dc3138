#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# bench/run.sh [--full] [SUITE…]: runs the named suites, or all; a suite is a script bench/SUITE.sh. `./dev
# bench` builds first and calls this with HOLDFAST set. A suite compares holdfast with other tools in one run,
# turn by turn, and prints ratios: numbers of two runs say more about the machine than about the tools.
# With --full it works at the size that its targets speak of, which takes minutes.
set -eu
cd -P -- "$(dirname -- "$0")"
: "${HOLDFAST:?HOLDFAST must be the path of the program to measure; or use ./dev bench}"
export HOLDFAST

left=$#
while [ "$left" -gt 0 ]; do
  case $1 in
    --full) export BENCH_FULL=yes ;;
    *) set -- "$@" "$1" ;;
  esac
  shift
  left=$((left - 1))
done
if [ $# -eq 0 ]; then
  for script in *.sh; do
    [ "$script" = run.sh ] || set -- "$@" "${script%.sh}"
  done
fi
for suite in "$@"; do
  if [ "$suite" = run ] || [ ! -f "$suite.sh" ]; then
    echo "bench: no suite '$suite'" >&2
    exit 64
  fi
done
for suite in "$@"; do
  echo "== $suite"
  sh "./$suite.sh"
done
