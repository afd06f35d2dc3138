#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# While a slot is held, another number of slots of the same name is refused (64), before and after a wait; of two at the
# same moment never both get one. A plain lock of the name is another lock.
. "$(dirname -- "$0")/../../lib/lib.sh"

T=$("$HOLDFAST" acquire --slots 2 gpu --owner $$)
for count in 1 3 64; do
  expect_code 64 "$HOLDFAST" lock --slots $count gpu -- touch second
  expect_stderr_contains "'gpu/1of2' is held: every caller must name the same number, and that one says 2"
done
expect_code 64 "$HOLDFAST" run --slots gpu=3 -- touch second
expect_code 0 "$HOLDFAST" lock -n gpu -- true
expect_code 0 "$HOLDFAST" lock -n --slots 2 gpu -- true
expect_code 0 "$HOLDFAST" release gpu --slots 2 --token "$T"
expect_code 0 "$HOLDFAST" lock -n --slots 3 gpu -- true

# A dead holder of the other number is none.
"$HOLDFAST" lock --slots 2 gpu -- sh -c 'echo $PPID $$ >pids; exec sleep 600' 2>/dev/null &
tries=0
until [ -s pids ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 300 ] || fail 'it does not start'
  sleep 0.1
done
# shellcheck disable=SC2046
kill -s KILL $(cat pids)
wait $! 2>/dev/null || :
expect_code 0 "$HOLDFAST" lock -n --slots 3 gpu -- true

# Many of both at the same moment.
: >codes
cat >worker <<'SH'
#!/bin/sh
mkdir "in.$1" 2>/dev/null || :
for other in in.2 in.3; do
  [ "$other" = "in.$1" ] || [ ! -d "$other" ] || echo "$1 beside $other" >>both
done
rmdir "in.$1" 2>/dev/null || :
SH
chmod +x worker
i=0
while [ "$i" -lt 12 ]; do
  for count in 2 3; do
    (
      code=0
      "$HOLDFAST" lock -w 60s --slots $count mixed -- ./worker $count 2>/dev/null || code=$?
      echo $code >>codes
    ) &
  done
  i=$((i + 1))
done
wait
[ "$(wc -l <codes)" -eq 24 ] || fail 'one did not answer'
if grep -qvxE '0|64' codes; then fail "odd codes: $(sort codes | uniq -c | tr '\n' ' ')"; fi
[ ! -e both ] || fail "both numbers at once: $(cat both)"

for words in '--slots 0 x' '--slots 65 x' '--slots two x' '-s --slots 2 x' '--slots 2 --file x' '--slots 2 ./x'; do
  # shellcheck disable=SC2086
  expect_code 64 "$HOLDFAST" lock $words -- touch second
done
for slots in x =2 x= x=0 x=65 x=2=y ./x=2 /x=2; do
  expect_code 64 "$HOLDFAST" run --slots "$slots" -- touch second
done
[ ! -e second ] || fail 'it ran'
