#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Python, the program and a shell with flock add to one counter and one history at once: nothing is lost.
. "$(dirname -- "$0")/lib.inc"
echo 0 >n
"$HOLDFAST" lock --file n -- true
cat >add.py <<'P'
import holdfast_lite as hf
for i in range(40):
    hf.update("n", lambda old: b"%d\n" % (int(old) + 1))
    hf.append("h.json", {"who": "python", "i": i}, cap=1000)
P
cat >add.sh <<'S'
i=0
while [ $((i += 1)) -le 20 ]; do
  flock .n.lock sh -c 'n=$(cat n); echo $((n + 1)) >n.new && mv n.new n'
done
S
python3 add.py >py1 2>&1 &
one=$!
python3 add.py >py2 2>&1 &
two=$!
sh add.sh &
three=$!
i=0
while [ $((i += 1)) -le 20 ]; do
  "$HOLDFAST" update n -- awk '{ print $1 + 1 }' || fail 'the program could not'
  "$HOLDFAST" ledger append h.json -q --data '{"who":"program"}' >/dev/null || fail 'the program could not append'
done
wait "$one" || fail "$(cat py1)"
wait "$two" || fail "$(cat py2)"
wait "$three" || fail 'the shell could not'
[ "$(cat n)" = 120 ] || fail "the counter lost some: $(cat n)"
expect_code 0 "$HOLDFAST" ledger check h.json
expect_stdout_contains '100 entries, array, whole'
expect_code 0 lite 'assert len(hf.entries("h.json")) == 100'
