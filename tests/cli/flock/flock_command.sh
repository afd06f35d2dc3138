#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command's own code passes, death of a signal is 128+N; it gets signals, environment and words untouched; -c is
# the shell's; -F becomes the command; what cannot be executed is 69.
. "$(dirname -- "$0")/../../lib/flock.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
both_flocks

# same_text ARGUMENT…: same, and the same words on stdout.
same_text() {
  same "$@"
  cmp -s "$stdout" "$scratch/real-stdout" || fail "other output: flock $*"
}

same_code 7 f sh -c 'exit 7'
same_code 137 f sh -c 'kill -KILL $$'
same_code 143 -o f sh -c 'kill -TERM $$'
same_text f printf '<%s>' -n '' 'a b' -- -c
same_text f env
same_code 69 f no-such-command
same_code 69 -F f no-such-command
same_code 69 f ''
same_code 69 f /
same_code 69 f ./f

printf 'echo "script $0 $*"\n' >script  # no #!
chmod +x script
same_text f ./script a 'b c'
PATH=$PWD:$PATH same_text f script x
printf '#!/no/such/interpreter\n' >broken
chmod +x broken
same_code 69 f ./broken

for shell in /bin/sh sh '' /no/such/shell; do
  SHELL=$shell same_text f -c 'echo "$0 $#"; exit 3'
  SHELL=$shell same_text f --command 'echo a; echo b'
done
(unset SHELL && same_text f -c 'echo "$0"') || exit 1

for tool in "$real" "$ours"; do
  sh -c 'echo $$; exec "$@"' sh "$tool" -F f sh -c 'echo $$' >pids
  [ "$(uniq pids | wc -l)" -eq 1 ] || fail "-F is another process: $tool"
  sh -c 'echo $$; exec "$@"' sh "$tool" f sh -c 'echo $$; echo $PPID' >pids
  [ "$(sed -n 1p pids)" = "$(sed -n 3p pids)" ] || fail "not the child of flock: $tool"
  [ "$(sed -n 2p pids)" != "$(sed -n 1p pids)" ] || fail "no process of its own: $tool"
done
# -F holds the lock until the command ends.
hold "$ours" -F f
same_code 1 -n f true
let_go
same_code 0 -n f true

# What the caller ignores or blocks, the command does.
signals='grep -E Sig(Ign|Blk) /proc/self/status'
for options in '' -F '-w 5' '-o -w 5'; do
  for ignored in '' PIPE 'PIPE XFSZ TERM'; do
    (
      # shellcheck disable=SC2086  # several words
      [ -z "$ignored" ] || trap '' $ignored
      # shellcheck disable=SC2086
      same_text $options f $signals
    ) || exit 1
  done
done
# util-linux forgets that SIGALRM was ignored once -w has used it; ours does not.
(
  trap '' ALRM
  $signals >wanted
  # shellcheck disable=SC2086
  "$ours" -w 5 f $signals | cmp -s - wanted
) || fail 'the command does not ignore SIGALRM any more'
if command -v perl >/dev/null; then  # a shell cannot ignore it for others
  expect_code 5 perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' "$ours" f sh -c 'exit 5'
fi
