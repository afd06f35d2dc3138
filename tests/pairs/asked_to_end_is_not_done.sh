#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Work that was asked to end and exits with 0 has obeyed; it is not done: not for `once`, `attempt`, a series or a loop,
# whether `stop` asked, or a signal to the supervisor, or one to the front end. (The front end of a loop ends alone.)
. "$(dirname -- "$0")/../lib/step.inc"
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo up
cat >polite <<'SH'
#!/bin/sh
trap 'exit 0' TERM
echo "$PPID" >boss
echo up >up
# Short ones: a TERM that meets a long one between its fork and its exec is lost, and then the grace passes.
while :; do sleep 0.05; done
SH
chmod +x polite
echo '{"id":"i"}' >items

# start KIND KEY: in the background; its front end is $front, its session $session.
start() {
  case $1 in
    once) "$HOLDFAST" once "$2" -- ./polite >answer 2>/dev/null & ;;
    attempt) "$HOLDFAST" attempt "$2" --max 3 -- ./polite >answer 2>/dev/null & ;;
    series) "$HOLDFAST" run --name "$2" --iterations 2 --json -- ./polite >answer 2>/dev/null & ;;
    loop)
      printf '[loop]\nname = "%s"\nsource = "cat items"\nrun = ["./polite"]\non_success = ["touch", "succeeded"]\nattempts = 1\n' \
        "$2" >fix.toml
      "$HOLDFAST" loop fix.toml --once >answer 2>/dev/null &
      ;;
  esac
  front=$!
  read -r _ <up
  case $1 in
    series) session=$2 ;;
    loop) session=$("$HOLDFAST" ps --json | jq -r '.sessions[0].name') ;;
    *) session=$1:$2 ;;
  esac
}
# ask WAY
ask() {
  case $1 in
    stop) expect_code 0 "$HOLDFAST" stop "$session" ;;
    front) kill "$front" ;;
    supervisor) kill "$(cat boss)" ;;
  esac
  code=0
  wait "$front" || code=$?
}
# expect_not_done KIND KEY
expect_not_done() {
  case $1 in
    once | attempt)
      [ "$code" -eq 143 ] || fail "$1, $2: exit code $code, not 143"
      expect_code 0 "$HOLDFAST" step show --kind "$1" "$2" --json
      expect_json .done null
      expect_json '.history[0].asked' true
      ;;
    series)
      [ "$code" -ne 0 ] || fail "$1, $2: exit code 0"
      [ "$(jq .done answer)" -eq 0 ] || fail "$1, $2: an iteration counts as done: $(cat answer)"
      ;;
    loop)
      expect_code 0 "$HOLDFAST" loop status fix.toml --json
      [ "$(json_field '.items[0].state')" != 'done' ] || fail "$1, $2: what was asked to end counts as done"
      [ ! -e succeeded ] || fail "$1, $2: on_success ran"
      ;;
  esac
}
for way in stop supervisor front; do
  for kind in once attempt series loop; do
    [ "$kind $way" != 'loop front' ] || continue
    start "$kind" "by-$way"
    ask "$way"
    expect_not_done "$kind" "by-$way"
  done
done
expect_code 0 "$HOLDFAST" journal query --type session.ended --json
case $(jq -r 'select(.data.by) | .data.by' <"$stdout") in *'stop, process '*) ;; *) fail 'nobody says who asked' ;; esac

# A verification that was asked to end says nothing, whatever it exits with.
"$HOLDFAST" once v --verify ./polite -- true >/dev/null 2>&1 &
read -r _ <up
kill "$!"
code=0
wait "$!" || code=$?
[ "$code" -eq 76 ] || fail "exit code $code, not 76"
expect_code 0 "$HOLDFAST" step show --kind once v --json
expect_json .state unsure
