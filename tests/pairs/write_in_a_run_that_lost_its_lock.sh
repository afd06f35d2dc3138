#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A change inside `run --lock L` is fenced as under `lock`: once L was broken, write, block and ledger are refused (77),
# nothing is changed, and the run does not count as done (76).
. "$(dirname -- "$0")/../lib/write.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
export HOLDFAST

printf old >f
printf '[]\n' >l
cat >late.sh <<'END'
"$HOLDFAST" write f -- printf early || exit 3
id=$("$HOLDFAST" locks L --json | jq -r .break_id)
"$HOLDFAST" break L --id "$id" --reason test || exit 3
for change in 'write f --json -- printf late' 'block put f --id x --style hash --from l' 'ledger append l -d {}'; do
  code=0
  "$HOLDFAST" $change || code=$?
  [ "$code" -eq 77 ] || echo "$code: $change" >>wrong
done
END
expect_code 76 "$HOLDFAST" run --name n --lock L -- sh late.sh
[ ! -e wrong ] || fail "not refused: $(cat wrong)"
expect_file f early
expect_file l '[]
'
