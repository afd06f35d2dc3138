#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `lock L -- run …` and `lock L -- once …`, whose front end or supervisor is killed: nobody gets L before the command of the run has ended, and
# the holder says so. A run that ends by itself leaves nothing of that behind.
. "$(dirname -- "$0")/../lib/lib.sh"
: >f
export HOLDFAST

mkfifo up go
for who in front supervisor; do
  for lock in L '--ttl 60s L' '--file f'; do
    for below in run 'run --name n' "once $who-${#lock}"; do
      # shellcheck disable=SC2086
      "$HOLDFAST" lock $lock -- "$HOLDFAST" $below -- sh -c 'echo "$PPID $$" >up; read -r _ <go' 2>words &
      holder=$!
      read -r boss command <up
      victim=$boss
      [ "$who" = supervisor ] || victim=$(sed 's/.*) //' "/proc/$boss/stat" | cut -d' ' -f2)
      kill -s KILL "$victim"
      wait "$holder" && fail 'the holder calls it a success'
      grep -q 'is not free yet' words || fail "it says: $(cat words)"
      # shellcheck disable=SC2086
      expect_code 75 "$HOLDFAST" lock -n $lock -- touch ran
      # shellcheck disable=SC2086
      "$HOLDFAST" lock -w 30s $lock -- sh -c '[ ! -d "/proc/$0" ] || [ -z "$(cat "/proc/$0/cmdline")" ]' "$command" &
      waiter=$!
      echo >go
      wait "$waiter" || fail "$who, $lock, $below: the next one began beside the command"
      # Without a control group nobody but us can tell that nothing of it is left.
      case $below in *' n')
        "$HOLDFAST" wait n >/dev/null 2>&1 || "$HOLDFAST" stop n --assume-gone --reason 'seen to end' >/dev/null 2>&1 || : ;;
      esac
    done
  done
done
[ ! -e ran ] || fail 'another ran beside the command'

expect_code 3 "$HOLDFAST" lock L -- sh -c '"$HOLDFAST" run --name n -- true && "$HOLDFAST" run -- true; exit 3'
expect_no_stderr
expect_code 0 "$HOLDFAST" lock -n L -- true
