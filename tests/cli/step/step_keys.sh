#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The longest key of each step is the one that the documents name, one byte more is 64 and runs nothing. `run --name`
# under a step's name counts nothing; a step that is under way is not forgotten.
. "$(dirname -- "$0")/../../lib/step.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

step() { # KIND KEY
  case $1 in
    attempt) "$HOLDFAST" attempt "$2" --max 1 -- touch ran ;;
    *) echo text | "$HOLDFAST" "$1" "$2" -- touch ran ;;
  esac
}
for longest in once:115 notify:113 attempt:112; do
  kind=${longest%:*}
  key=$(printf "%0${longest#*:}d" 0)
  expect_code 64 step "$kind" "0$key"
  [ ! -e ran ] || fail "$kind: a key that is too long ran"
  expect_code 0 step "$kind" "$key"
  rm ran
done
thirty=$(printf 'äääääääääääääääääääääääääääääääää' | cut -b1-60)
expect_code 64 step once "${thirty}ä"
expect_code 0 step once "$thirty"

expect_code 0 "$HOLDFAST" run -q --name once:k -- true
expect_code 66 "$HOLDFAST" step show --kind once k
make_gate
"$HOLDFAST" once k -- ./gated &
wait_up
expect_code 75 "$HOLDFAST" step forget --kind once k
open_gate 0
wait
expect_code 0 "$HOLDFAST" step show --kind once k --json
expect_json '"\(.state) \(.runs)"' 'done 1'
