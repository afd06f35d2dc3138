#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `logs` tells stdout and stderr apart, says when each line came, and chooses by stream, time and pattern, also while the
# log grows, through rotations and of an earlier run. The text itself is untouched.
. "$(dirname -- "$0")/../../lib/run_session.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >speaker <<'X'
#!/bin/sh
echo one
echo two >&2
printf 'half '
printf 'bad\000' >&2
echo whole
printf 'end' >&2
X
chmod +x speaker
expect_code 0 "$HOLDFAST" run --name x -- ./speaker
expect_code 0 "$HOLDFAST" logs x
[ "$(wc -c <"$stdout")" -eq 26 ] || fail 'the text is not what was printed'
[ "$(od -An -c "$HOLDFAST_HOME/sessions/x/out.log" | wc -l)" -eq 2 ] || fail 'the log is not plain'
expect_code 0 "$HOLDFAST" logs --stdout x
printf 'one\nhalf whole\n' | cmp - "$stdout" || fail '--stdout'
expect_code 0 "$HOLDFAST" logs --stderr x
printf 'two\nbad\000end' | cmp - "$stdout" || fail '--stderr'
expect_no_stderr
expect_code 0 "$HOLDFAST" logs -t x
[ "$(grep -acE '^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z ' "$stdout")" -eq 4 ] || fail '--timestamps'
grep -aq 'Z half whole$' "$stdout" || fail 'a line that the other stream parted'
expect_code 0 "$HOLDFAST" logs --json x
[ "$(jq -r .stream "$stdout" | sort | uniq -c | tr -s ' \n' ' ')" = ' 2 stderr 2 stdout ' ] || fail "--json: $(cat "$stdout")"
[ "$(jq -r 'select(.line == "two") | .time[:2]' "$stdout")" = 20 ] || fail 'a time'
expect_code 0 "$HOLDFAST" logs --grep '^(one|half)' x
printf 'one\nhalf whole\n' | cmp - "$stdout" || fail '--grep'
expect_code 0 "$HOLDFAST" logs --stderr --tail 1 x
printf 'bad\000end' | cmp - "$stdout" || fail '--tail counts what is shown'
expect_code 64 "$HOLDFAST" logs --grep '(' x
expect_code 64 "$HOLDFAST" logs --stdout --stderr x
expect_code 0 "$HOLDFAST" logs --since 1h x --stdout
printf 'one\nhalf whole\n' | cmp - "$stdout" || fail '--since'
expect_code 0 "$HOLDFAST" logs --since 2100-01-01 x
expect_no_stdout
# The next run has an index of its own; this one keeps its.
expect_code 0 "$HOLDFAST" run --name x -- sh -c 'echo next >&2'
expect_code 0 "$HOLDFAST" logs --stdout x
expect_no_stdout
expect_code 0 "$HOLDFAST" logs --stdout --run 1 x
printf 'one\nhalf whole\n' | cmp - "$stdout" || fail '--run'

# Followed: each line is read before the next one is written.
mkfifo orders pipe
"$HOLDFAST" run --detach --name f -- sh -c 'while read -r to text; do if [ "$to" = 2 ]; then echo "$text" >&2; else echo "$text"; fi; done <orders' >/dev/null
exec 5>orders
"$HOLDFAST" logs -f --stderr --grep good f 5>&- >pipe &
follower=$!
exec 4<pipe
for n in 1 2 3; do
  printf '1 good %s\n2 bad %s\n2 good %s\n' "$n" "$n" "$n" >&5
  read -r line <&4
  [ "$line" = "good $n" ] || fail "followed '$line'"
done
exec 5>&-
wait "$follower" || fail "the follower: $?"

# Through rotations, and bounded however small the pieces are.
cat >chatter <<'X'
#!/bin/sh
n=0
while [ "$n" -lt 3000 ]; do
  echo "line $n"
  echo "error $n" >&2
  n=$((n + 1))
done
X
chmod +x chatter
expect_code 0 "$HOLDFAST" run --name r --log-max 40K -- ./chatter
[ -e "$HOLDFAST_HOME/sessions/r/out.log.1" ] || fail 'no rotation'
cat "$HOLDFAST_HOME/sessions/r/out.log.1" "$HOLDFAST_HOME/sessions/r/out.log" >text
expect_code 0 "$HOLDFAST" logs --stderr r
grep -c '^error [0-9]*$' "$stdout" >count
[ "$(wc -l <"$stdout")" -eq "$(cat count)" ] || fail 'something else in stderr'
grep '^error' text | tail -n 1500 >expected
tail -n 1500 "$stdout" | cmp - expected || fail '--stderr through a rotation'
expect_code 0 "$HOLDFAST" run --name tiny -- dd if=/dev/zero bs=1 count=20000 status=none
for part in r/out@ r/out@.1 tiny/out@; do
  index=$HOLDFAST_HOME/sessions/$(echo "$part" | sed 's/@/.index/') log=$HOLDFAST_HOME/sessions/$(echo "$part" | sed 's/@/.log/')
  [ "$(stat -c %s "$index")" -le $((65536 + $(stat -c %s "$log") / 2 + 32)) ] || fail 'the index is not bounded'
  [ "$(stat -c %a "$index")" = 600 ] || fail "mode $(stat -c %a "$index")"
done

# A terminal has one stream; that is said, and nothing is left out.
if "$HOLDFAST" run --name p --pty -- sh -c 'echo one; echo two >&2' >"$stdout" 2>"$stderr" </dev/null; then
  expect_code 0 "$HOLDFAST" logs --stderr p
  [ "$(wc -l <"$stdout")" -eq 2 ] || fail 'of a terminal'
  expect_stderr_contains 'of 2 lines the log does not know the stream'
fi
