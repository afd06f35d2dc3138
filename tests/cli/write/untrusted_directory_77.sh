#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A directory that another user owns or may write to is refused by every file command, readers too, before anything
# is believed or changed: there a stale copy of a ledger answers "not asked yet", and the fresh one comes back.
# label: system
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"
[ "$(id -u)" -eq 0 ] || skip 'only root can become another user'
command -v setpriv >/dev/null || skip 'setpriv(1) is not installed'
as_eve() { setpriv --reuid 4711 --regid 4711 --clear-groups "$@"; }

chmod 0755 "$scratch"
mkdir d
"$HOLDFAST" ledger append d/h.json --data '{"n":1}'
cp -p d/h.json stale.json
"$HOLDFAST" ledger append d/h.json --data '{"asked":"yes"}'
printf "text\n" | tee text >d/f
"$HOLDFAST" block put d/f --id a --from text
printf 'expect = 1\n[[layer]]\nname = "base"\nargs = ["f"]\nrequired = true\n' >d/plan.toml
printf '[[path]]\npath = "f"\ntype = "file"\nmode = "0644"\n' >d/paths.toml
printf '[[path]]\npath = "d/f"\ntype = "file"\nmode = "0644"\n' >paths.toml

# The attack, if the directory is trusted.
cp -p stale.json d/stale.json
chmod 0777 d
as_eve sh -c 'mv d/h.json d/fresh.json && mv d/stale.json d/h.json'
expect_code 66 "$HOLDFAST" ledger last d/h.json --where asked=yes --trust-dir
as_eve sh -c 'mv d/h.json d/stale.json && mv d/fresh.json d/h.json'
expect_code 0 "$HOLDFAST" ledger last d/h.json --where asked=yes --trust-dir
rm d/stale.json

all() { # CODE [OPTION]: each file command
  code_wanted=$1
  shift
  for words in 'ledger last d/h.json' 'ledger check d/h.json' 'ledger append d/h.json --data {}' 'ledger repair d/h.json' \
    'block get d/f --id a' 'block list d/f' 'block check d/f' 'block put d/f --id a --from text' \
    'block strip-orphans d/f' 'block strip-orphans d/f --apply' 'layers d/plan.toml' 'layers d/plan.toml --format compose' \
    'block remove d/f --id a' 'write d/new --from d/f' 'write d/f --in-place --from paths.toml' 'write new --stamp d/stamp --from d/f'; do
    # shellcheck disable=SC2086
    expect_code "$code_wanted" "$HOLDFAST" $words "$@" --json
    [ "$code_wanted" -eq 0 ] || case $words in
      import*) expect_json '.records[0].reason' untrusted-dir ;;
      *) expect_cause untrusted-dir ;;
    esac
  done
  expect_code "$code_wanted" "$HOLDFAST" update d/f "$@" -- cat
}
sha256sum d/* >before
all 77
expect_stderr_contains "(owner 0:0, mode 0777); take that right away (chmod o-w)"
chmod 1777 d
expect_code 77 "$HOLDFAST" ledger last d/h.json
expect_stderr_contains 'use a directory of your own below it'
chmod 0775 d
chgrp 4711 d
expect_code 77 "$HOLDFAST" ledger last d/h.json
expect_stderr_contains '(chmod g-w)'
chmod 0755 d
chown 4711 d
expect_code 77 "$HOLDFAST" ledger last d/h.json
expect_stderr_contains 'belongs to another user'
sha256sum -c before >/dev/null || fail 'something was changed'
[ "$(ls -A d)" = "$(printf '%s\n' f h.json paths.toml plan.toml)" ] || fail "$(ls -A d)"
all 0 --trust-dir

# Root may be trusted by everybody; a link leads through two directories, and both count.
chown 0:0 d
chmod 0644 d/h.json
expect_code 0 as_eve "$HOLDFAST" ledger last d/h.json --foreign-owner
mkdir -m 0777 open
ln -s ../d/h.json open/link.json
expect_code 77 "$HOLDFAST" ledger last open/link.json --links follow
expect_stderr_contains open
