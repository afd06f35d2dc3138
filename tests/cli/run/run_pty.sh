#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# With --pty the command has a terminal of its own: it sees one, what is typed reaches it, Ctrl-C typed there reaches
# it as a signal, its output is shown and logged, and a deadline ends it.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 "$HOLDFAST" run --name p --pty -- sh -c 'test -t 0 && test -t 1 && test -t 2 && tty && stty size'
expect_stdout_contains /dev/pts/
expect_stdout_contains '24 80'
grep -q /dev/pts/ "$HOLDFAST_HOME/sessions/p/out.log" || fail 'the log lacks what was printed'
expect_record p .state exited
expect_record p .order.pty true

# shellcheck disable=SC2016
expect_code 3 sh -c 'echo typed | "$0" run --pty -- sh -c "read -r line; echo got \$line; exit 3"' "$HOLDFAST"
expect_stdout_contains 'got typed'
expect_code 0 sh -c 'printf "" | "$0" run --pty -- cat' "$HOLDFAST"
# 3 is Ctrl-C: the terminal makes a signal of it. It is typed once the command says that it listens.
mkfifo up end
# shellcheck disable=SC2016
expect_code 7 sh -c '{ read -r _ <up; printf "\\003"; read -r _ <end; } |
  "$0" run --pty -- sh -c "trap \"echo end >end; exit 7\" INT; echo up >up; while :; do sleep 0.05; done"' "$HOLDFAST"
expect_code 124 "$HOLDFAST" run --pty --timeout 300ms -- sleep 60
expect_code 0 "$HOLDFAST" run --detach --name d --pty -- sh -c 'test -t 0 && echo has one'
wait_for_end d
grep -q 'has one' "$HOLDFAST_HOME/sessions/d/out.log" || fail 'a detached one has no terminal'
