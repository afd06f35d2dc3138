#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An ordinary user, `--contain pidns`: every process of the tree gets its TERM, although parents end at theirs and their
# children go to the init of the namespace at that moment. Ten times, as it is a race. Nobody is killed after the grace.
. "$(dirname -- "$0")/../../lib/orphans.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
without_groups
as_daemon='setpriv --reuid 1 --regid 1 --clear-groups'
if [ "$(id -u)" -eq 0 ] && $as_daemon sh -c '[ -x "$0" ] && [ -r "$1" ] && d=$(mktemp -d) && rmdir "$d"' "$HOLDFAST" "$this_test" 2>/dev/null; then
  cd /
  remove_scratch
  exec $as_daemon sh "$this_test"
fi
"$HOLDFAST" run --contain pidns -- true 2>"$stderr" || skip "no pid namespace here: $(cat "$stderr")"

cat >tree <<'X'
#!/bin/sh
# tree NAME DEPTH: three children each; who gets TERM says so, and ends at once.
trap 'echo told >"told/$1"; exit 0' TERM
if [ "$2" -gt 0 ]; then
  for child in a b c; do ./tree "$1$child" $(($2 - 1)) & done
else
  sleep 1000 &
fi
echo up >"up/$1"
while :; do wait; done
X
chmod +x tree
cat >root <<'X'
#!/bin/sh
setsid ./tree r 3 &
until [ "$(ls up | wc -l)" -eq 40 ]; do sleep 0.02; done
X
chmod +x root
for round in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf up told
  mkdir up told
  expect_code 0 "$HOLDFAST" run --contain pidns --grace 3s --json -- ./root
  ls up >up.list
  ls told >told.list
  cmp -s up.list told.list || fail "round $round: no TERM for $(diff up.list told.list)"
  expect_json .killed 0
done
