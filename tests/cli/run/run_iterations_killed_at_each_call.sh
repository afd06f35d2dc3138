#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Driver, supervisor and command of a series are killed at their 1st, 2nd, 3rd, … call of each kind. Whatever was left,
# the same command brings the series to its end: each iteration is counted once, none that ran to its end is run again,
# and a success is said only of one that ran.
# label: sweep
. "$(dirname -- "$0")/../../lib/sweep.inc"
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
command -v strace >/dev/null || skip 'strace is not installed'
strace -qq -o /dev/null true 2>/dev/null || skip 'tracing is not allowed here'

"$HOLDFAST" run --name probe -- true
[ "$(jq -r .containment "$HOLDFAST_HOME/sessions/probe/session.json")" = cgroup ] ||
  skip 'without a control group nobody can prove the end of an orphan'
cat >work <<'SH'
#!/bin/sh
echo "$HOLDFAST_ITERATION" >>began
echo "$HOLDFAST_ITERATION" >>ended
SH
chmod +x work
deaths=0 resumed=0 lost=0 untold=0
drive() {
  "$HOLDFAST" run --name "$name" --iterations 2 --max-errors 9 --until 'exit 1' --progress 'cat began' --wait 1m \
    --grace 0 --json -- ./work
}
# struck CALL N: false where there are no N such calls.
struck() {
  name=s-$1-$2
  rm -f began ended
  strace -f -qq -o trace -e trace="$1" -e inject="$1":signal=KILL:when="$2" "$HOLDFAST" run --name "$name" --iterations 2 \
    --max-errors 9 --until 'exit 1' --progress 'cat began' --grace 0 -- ./work >/dev/null 2>&1 </dev/null || :
  grep -q 'killed by SIGKILL' trace || return 1
  deaths=$((deaths + 1))
  file=$HOLDFAST_HOME/sessions/$name/series.json
  if [ -e "$file" ]; then
    one_line "$file"
    # One that was over, and told, begins anew.
    ! has '"answered":true' || return 0
    if has '"over":"'; then untold=$((untold + 1)); else resumed=$((resumed + 1)); fi
  fi
  code=0
  drive >"$stdout" 2>"$stderr" </dev/null || code=$?
  if [ "$code" -eq 69 ] && grep -q '"cause":"series-orphaned"' "$stdout"; then
    "$HOLDFAST" stop "$name" --grace 0 >/dev/null 2>&1 || fail "$1 $2: the orphan cannot be ended"
    code=0
    drive >"$stdout" 2>"$stderr" </dev/null || code=$?
  fi
  [ "$code" -eq 76 ] || fail "$1 $2: code $code"
  one_line "$stdout"
  has '"reason":"iterations"' || fail "$1 $2: $line"
  has '"done":2,' || fail "$1 $2: $line"
  history=${line#*'"history":['}
  case $history in *'"n":'*'"n":'*'"n":'*) fail "$1 $2: more than two iterations: $line" ;; esac
  second=${history#*'},{'}
  for i in 1 2; do
    times=$(grep -cx "$i" began 2>/dev/null || :)
    [ "${times:-0}" -le 1 ] || fail "$1 $2: iteration $i began $times times"
    line=$history
    [ "$i" -eq 1 ] || line=$second
    field n
    [ "$value" -eq "$i" ] || fail "$1 $2: iteration $value in the place of $i: $history"
    field state
    state=$value
    field exit_code
    case "$state $value" in
      'exited 0') [ "$(grep -cx "$i" ended)" -eq 1 ] || fail "$1 $2: $i is said to have succeeded, and did not run" ;;
      lost*) lost=$((lost + 1)) ;;
    esac
  done
}
for each in write pwrite64 linkat renameat renameat2 unlinkat fsync fdatasync mkdirat clone,clone3 setsid exit_group; do
  n=1
  while struck "$each" "$n"; do
    n=$((n + 1))
    [ "$n" -lt 60 ] || fail "more than 60 calls of $each: something loops"
  done
done
[ "$deaths" -gt 40 ] || fail "only $deaths deaths: the sweep does not reach the program"
[ "$resumed" -gt 10 ] || fail "only $resumed were resumed: half of it is not reached"
[ "$untold" -gt 0 ] || fail 'none was over and untold: half of it is not reached'
[ "$lost" -gt 0 ] || fail 'none was lost: half of it is not reached'
