#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Updates, blocks and entries of one file at once, which has no lock yet: no increment, no block and no entry is lost. A
# `write`, in place too, that comes while a filter runs waits for it, and stands at the end.
. "$(dirname -- "$0")/../lib/write.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

printf 'n 0\n' >f
printf '{"n":0}\n' >l.jsonl
for i in 1 2 3 4 5 6; do
  printf 'inside %s\n' "$i" >"from.$i"
  "$HOLDFAST" update f --wait 60s -- awk '$1 == "n" { $2++ } { print }' 2>>errors || echo "update $?" >>errors &
  "$HOLDFAST" block put f --id "b$i" --style hash --from "from.$i" --wait 60s 2>>errors || echo "put $?" >>errors &
  "$HOLDFAST" update l.jsonl --wait 60s -- sed '1s/}$/,"u":1}/' 2>>errors || echo "update $?" >>errors &
  "$HOLDFAST" ledger append l.jsonl -d "{\"i\":$i}" --wait 60s >/dev/null 2>>errors || echo "append $?" >>errors &
done
wait
[ ! -s errors ] || fail "$(cat errors)"
grep -qx 'n 6' f || fail "an increment is lost: $(cat f)"
[ "$(grep -c '^inside' f)" -eq 6 ] || fail "a block is lost: $(cat f)"
[ "$(grep -o '"u":1' l.jsonl | wc -l)" -eq 6 ] || fail "an update is lost: $(cat l.jsonl)"
[ "$(grep -c '"i":' l.jsonl)" -eq 6 ] || fail "an entry is lost: $(cat l.jsonl)"

mkfifo up go
for how in --no-option --in-place; do
  [ "$how" = --in-place ] || how=
  printf old >g
  "$HOLDFAST" update g --timeout 60s -- sh -c 'cat; echo >up; read -r _ <go; echo " filtered"' &
  update=$!
  read -r _ <up
  # shellcheck disable=SC2086 # no option is no word
  expect_code 75 write g $how --wait 50ms --json -- printf written
  expect_cause file-busy
  expect_file g old
  # shellcheck disable=SC2086
  "$HOLDFAST" write g $how --wait 60s -- printf written &
  write=$!
  echo >go
  wait "$update" || fail "the update exited with $?"
  wait "$write" || fail "the write exited with $?"
  expect_file g written
done
