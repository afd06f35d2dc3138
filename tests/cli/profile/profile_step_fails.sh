#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A step that fails is named, later steps are not done, and nothing is started.
. "$(dirname -- "$0")/../../lib/profile.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

write_profile
run() { expect_code "$1" "$HOLDFAST" run --profile holdfast.toml --json; }
fresh() {
  rm -rf state order words link
  write_profile
}
traces() { [ "$(cat order 2>/dev/null)" = "$1" ] || fail "done was: $(cat order)"; }

# ensure: a link is in the way.
ln -s . state
run 77
expect_json .step ensure
expect_json .error.cause is-link
expect_stdout_contains 'profile step `ensure`'
traces ''
[ ! -e words ] || fail 'the command ran'
# drift.
fresh
mkdir -m 755 state
run 66
expect_json .step ensure
expect_json .error.cause drift
traces ''

# refresh: the producer fails; its content is refused.
fresh
printf '#!/bin/sh\necho half\nexit 3\n' >produce
run 65
expect_json .step refresh
expect_json .error.cause producer-failed
expect_json .error.subject "$PWD/state/one"
expect_json .state failed
[ ! -e state/one ] || fail 'half of it is there'
fresh
printf '#!/bin/sh\necho no JSON\n' >produce
run 65
expect_json .error.subject "$PWD/state/two.json"
[ "$(cat state/one)" = 'no JSON' ] || fail 'the first one was not refreshed'
[ ! -e order ] || fail 'the layers were assembled'

# layers: one fails.
fresh
sed -i 's/^command = .*/command = "exit 9"/' layers.toml
expect_code 65 "$HOLDFAST" run --profile holdfast.toml
expect_not_started layers
expect_stderr_contains "'made'"

# The start: the lock is not to be had. Then it is no step.
fresh
expect_code 0 "$HOLDFAST" lock repo -- "$HOLDFAST" run --profile holdfast.toml --lock another
[ -e words ] || fail 'it did not run'
rm words
mkfifo gate
"$HOLDFAST" lock repo -- sh -c 'echo >held; read -r line <gate' &
holder=$!
while [ ! -e held ]; do sleep 0.05; done
expect_code 75 "$HOLDFAST" run --profile holdfast.toml -w 0 --json
expect_json .step null
[ ! -e words ] || fail 'the command ran'
echo >gate
wait "$holder"

# The fact, for a script.
fresh
sed -i 's/^command = .*/command = "exit 9"/' layers.toml
code=0
"$HOLDFAST" run --profile holdfast.toml --status-fd 3 3>status 2>/dev/null || code=$?
[ "$code" -eq 65 ] || fail "exit code $code"
grep -q '"by":"holdfast","code":65' status || fail "status: $(cat status)"
