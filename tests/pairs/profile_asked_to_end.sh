#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A signal that asks to end while a step of a profile is at work ends the step and starts nothing, whatever the step makes
# of it; a file that is being refreshed stays as it was.
. "$(dirname -- "$0")/../lib/lib.sh"

mkfifo up
cat >slow <<'X'
#!/bin/sh
trap 'exit 0' TERM HUP
echo half
echo $$ >up
while :; do sleep 600 & wait $!; done
X
chmod +x slow
printf '[[layer]]\nname = "slow"\ncommand = ["./slow"]\n' >layers.toml
cat >holdfast.toml <<'X'
[session.refresh]
command = "touch ran"
[[session.refresh.refresh]]
path = "config"
command = ["./slow"]
[session.layers]
command = ["touch", "ran", "{layers}"]
layers = "layers.toml"
X
echo old >config
for signal in TERM HUP; do
  for name in refresh layers; do
    "$HOLDFAST" run --profile "$name" >"$stdout" 2>"$stderr" &
    read -r step <up
    kill -s "$signal" "$!"
    code=0
    wait "$!" || code=$?
    [ "$code" -eq 65 ] || fail "$name: it ended with $code after $signal"
    [ ! -d "/proc/$step" ] || fail "$name: the step lives"
    [ ! -e ran ] || fail "$name: its session was started"
  done
done
[ "$(cat config)" = old ] || fail "half of it was written: $(cat config)"
expect_code 66 "$HOLDFAST" show layers
