#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command that changes a file waits for whoever holds the file's lock, holdfast or flock(1), names the holder when
# the wait is over (75), goes through under that very lock, and makes no lock for a file that has none.
. "$(dirname -- "$0")/../lib/write.inc"
. "$(dirname -- "$0")/../lib/lib.sh"
command -v flock >/dev/null || skip 'flock(1) is not installed'

cat >change.sh <<'END'
what=$1 && shift
printf 'from\n' >../from
case $what in
write | in-place) printf 'new\n' >../new ;;
esac
case $what in
write) exec "$HOLDFAST" write f --json "$@" --from ../new ;;
in-place) exec "$HOLDFAST" write f --in-place --json "$@" --from ../new ;;
update) exec "$HOLDFAST" update f --json "$@" -- tr a-z A-Z ;;
put) exec "$HOLDFAST" block put f --id x --style hash --json "$@" --from ../from ;;
remove) exec "$HOLDFAST" block remove f --id x --style hash --json "$@" ;;
strip) exec "$HOLDFAST" block strip-orphans f --style hash --apply --json "$@" ;;
append) exec "$HOLDFAST" ledger append f --json "$@" -d '{"a":1}' ;;
repair) exec "$HOLDFAST" ledger repair f --json "$@" ;;
ensure) exec "$HOLDFAST" ensure --file f --mode 0640 --pin --json "$@" ;;
esac
END
for what in write in-place update put remove strip append repair ensure; do
  mkdir "$what.d"
  cd "$what.d"
  case $what in
  append) echo '[]' >f ;;
  repair) printf '{"a":1}\n{"cut' >f ;;
  strip) printf '# >>> holdfast a sha256:0000000000000000\ntext\n' >f ;;
  remove) printf 'text\n' >f && expect_code 0 sh ../change.sh put ;;
  *) printf 'text\n' >f ;;
  esac
  chmod 600 f
  cp -p f ../before
  expect_code 75 flock .f.lock sh ../change.sh "$what" --wait 50ms
  expect_cause file-busy
  case $(json_field .error.detail) in *'pid '*) ;; *) fail "$what does not name the holder" ;; esac
  expect_code 75 "$HOLDFAST" lock --file f -- env -u HOLDFAST_CHAIN -u HOLDFAST_LOCK sh ../change.sh "$what" --wait 50ms
  expect_cause file-busy
  cmp -s f ../before || fail "$what changed the file behind the lock"
  expect_mode f 600
  expect_code 0 "$HOLDFAST" lock --file f -- sh ../change.sh "$what" --wait 50ms
  cmp -s f ../before && [ "$(mode_of f)" = 600 ] && fail "$what did nothing under the lock"
  cd ..
done
mkdir none && cd none
for what in write put append.json ensure; do
  case $what in put) printf 'text\n' >f ;; append.json) rm f ;; esac
  expect_code 0 sh ../change.sh "${what%.json}"
done
expect_only f
