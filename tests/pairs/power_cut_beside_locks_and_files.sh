#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The power fails while locks are held, sessions are adopted, resumed and stopped, and directories come and go: after the
# next boot the locks are free with a higher fence, no session is called ended, a directory is whole in its place or in the
# trash, and what was changed and acknowledged is there.
# label: system
. "$(dirname -- "$0")/../lib/own_mounts.inc"
. "$(dirname -- "$0")/../lib/power_cut.inc"
. "$(dirname -- "$0")/../lib/locks.inc"
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/orphans.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
make_disk ext4
bystander=
end_all() {
  [ -z "$bystander" ] || kill "$bystander" 2>/dev/null || :
  "$HOLDFAST" stop detached adopted again stopped --grace 0 >/dev/null 2>&1 || :
  end_keepers
  umount "$boot" disk 2>/dev/null || :
}
trap 'end_all; remove_scratch' EXIT
sessions=$HOLDFAST_HOME/sessions

mkfifo up go
# Opened once: who opens it for each line may meet the one before that is just closing it.
exec 7<>up
work='echo up >up; exec sleep 600'
"$HOLDFAST" workspace new old --owner none >/dev/null
echo kept >"$sessions/old/data"
"$HOLDFAST" workspace detach old --force
"$HOLDFAST" workspace end old
"$HOLDFAST" run --name again -- sh -c "[ -e first ] || { : >first; exit 0; }; $work"
for file in written updated blocks; do echo old >"disk/$file"; done
sync -f disk

owner a
lease=$("$HOLDFAST" acquire l --ttl 1h --owner none)
"$HOLDFAST" lock c -- sh -c 'echo up >up; read -r _ <go' &
holder=$!
read -r _ <&7
"$HOLDFAST" run --detach --name detached --lock d -- sh -c "$work" >/dev/null
read -r _ <&7
orphan adopted -- sh -c "trap '' TERM; echo up >up; while :; do sleep 600; done" &
read -r _ <&7
wait "$!"
"$HOLDFAST" adopt adopted >/dev/null
"$HOLDFAST" resume again --detach >/dev/null
read -r _ <&7
"$HOLDFAST" run --detach --name stopped -- sh -c "trap '' TERM; echo up >up; while :; do sleep 600; done" >/dev/null
read -r _ <&7
expect_code 69 "$HOLDFAST" stop stopped --grace 1h --wait 0s
"$HOLDFAST" workspace new young --owner none >/dev/null
expect_code 0 "$HOLDFAST" gc --grace 0 -q
[ ! -e "$sessions/old" ] || fail 'old is still there'
echo new | "$HOLDFAST" write disk/written --allow-unchecked >/dev/null
expect_code 0 "$HOLDFAST" update disk/updated -- echo new
echo new | "$HOLDFAST" block put disk/blocks --id b >/dev/null
for name in a l c d; do "$HOLDFAST" locks "$name" --json | jq .fence >"fence.$name"; done
echo '{"entry":1}' | "$HOLDFAST" ledger append disk/entries.jsonl >/dev/null
sleep 600 &
bystander=$!
"$HOLDFAST" identify "$bystander" >id
cut_power

echo >go
wait "$holder"
end_owner TERM
"$HOLDFAST" stop detached adopted again stopped --grace 0 -q >/dev/null
end_keepers
next_boot
for name in a l c d; do
  expect_code 0 "$HOLDFAST" lock "$name" -n -- sh -c 'echo "$HOLDFAST_FENCE"'
  [ "$(cat "$stdout")" -gt "$(cat "fence.$name")" ] || fail "$name: fence $(cat "$stdout") after $(cat "fence.$name")"
done
expect_code 77 "$HOLDFAST" check a --token "$token"
expect_code 77 "$HOLDFAST" check l --token "$lease"
# Another process has the number by now.
expect_code 66 "$HOLDFAST" alive @id
expect_code 66 "$HOLDFAST" kill @id
kill -0 "$bystander" || fail 'a process of this boot was killed for one of the last'
kill "$bystander"
for name in detached adopted again stopped; do
  expect_code 0 "$HOLDFAST" show "$name" --json
  expect_json .state lost
done
expect_code 0 "$HOLDFAST" run --name stopped -- true
[ "$(cat "$sessions"/old/data "$sessions"/.holdfast-trash/old.*/data 2>/dev/null)" = kept ] || fail 'old is not whole in one place'
code=0
"$HOLDFAST" workspace get young >/dev/null 2>&1 || code=$?
case $code in 0 | 66) ;; *) fail "a young session is there by half: $code" ;; esac
[ "$(cat disk/written disk/updated)" = "$(printf 'new\nnew')" ] || fail "$(cat disk/written disk/updated)"
expect_code 0 "$HOLDFAST" block get disk/blocks --id b
expect_stdout_is new
expect_code 0 "$HOLDFAST" ledger last disk/entries.jsonl
expect_stdout_contains '"entry"'
expect_code 0 "$HOLDFAST" journal verify
umount disk
