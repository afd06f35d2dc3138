#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A signal that asks to end ends the iteration under way as `run` does, and the series stops and can be gone on with,
# whatever the command makes of it. That iteration is not done: its number is run again.
. "$(dirname -- "$0")/../../lib/series.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkfifo up
# A command that ends with the code in ./stay when it is asked to, and at once without that file.
cat >work <<'SH'
#!/bin/sh
echo "$HOLDFAST_ITERATION" >>ran
test -e stay || exit 0
trap "exit $(cat stay)" TERM
echo up >up
while :; do sleep 0.05; done
SH
chmod +x work
end_by() {
  echo "$1" >stay
  "$HOLDFAST" run --name s --iterations 3 --json -- ./work >"$stdout" 2>"$stderr" &
  driver=$!
  read -r _ <up
  # The front end passes it on.
  kill -s TERM "$driver"
  code=0
  wait "$driver" || code=$?
  [ "$code" -eq "$2" ] || fail "code $code, not $2"
  expect_json .reason interrupted
  expect_stderr_contains 'is not done: the same command runs it again'
}
end_by 0 143 # it said 0, but the series is not over
expect_json '[.done, .errors, .exit_code] | join(" ")' '0 0 0'
end_by 4 4
expect_json '[.done, .errors, .exit_code] | join(" ")' '0 0 4'
rm stay
expect_code 0 "$HOLDFAST" run --name s --iterations 3 --json -- ./work
expect_json '[.reason, .done] | join(" ")' 'iterations 3'
expect_json '[.history[] | "\(.n) \(.asked)"] | join(",")' '1 true,1 true,1 false,2 false,3 false'
expect_ran 1 1 1 2 3

# Also the last one, and nothing is success before it is done.
rm ran
echo 0 >stay
"$HOLDFAST" run --name last --iterations 1 -- ./work 2>/dev/null &
driver=$!
read -r _ <up
"$HOLDFAST" stop last >/dev/null 2>&1 || fail 'it cannot be stopped'
code=0
wait "$driver" || code=$?
[ "$code" -eq 143 ] || fail "code $code, not 143"
expect_series last '[.done, .over // "no"] | join(" ")' '0 no'
rm stay
expect_code 0 "$HOLDFAST" run --name last --iterations 1 -- ./work
expect_ran 1 1

# In the pause there is nothing to end.
"$HOLDFAST" run --name p --iterations 2 --pause 1h --json -- true >"$stdout" 2>"$stderr" &
driver=$!
until [ "$(series p .done 2>/dev/null)" = 1 ]; do sleep 0.02; done
kill -s TERM "$driver" 2>/dev/null || :
code=0
wait "$driver" || code=$?
[ "$code" -gt 128 ] || fail "code $code"
expect_series p '[.done, .over // "no"] | join(" ")' '1 no'
expect_code 0 "$HOLDFAST" run --name p --iterations 2 --json -- true
expect_json .done 2
