#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The engine fails in every way that it can: no live session is touched. A clean-up as harnesses write it, beside it,
# deletes them all.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/podman.inc"
need_podman

for name in one two three; do
  expect_code 0 "$HOLDFAST" --json workspace new "$name" --authority "podman:$name" --owner none
  expect_code 0 "$HOLDFAST" workspace detach "$name" --token "$(json_field .token)"
  echo work >"$HOLDFAST_HOME/sessions/$name/notes"
  podman_start "$name"
done

# The clean-up that harnesses write: whoever is not in the list is garbage.
naive() {
  rm -rf naive
  mkdir naive
  for name in one two three; do mkdir "naive/$name"; done
  live=$(podman ps -a --format '{{.Names}}' 2>/dev/null || true)
  for dir in naive/*/; do
    echo "$live" | grep -qx "$(basename "$dir")" || rm -rf "$dir"
  done
  ls naive
}
[ "$(naive | wc -l)" -eq 3 ] || fail 'with the engine in order the naive clean-up keeps all'

all_there() {
  for name in one two three; do
    [ -f "$HOLDFAST_HOME/sessions/$name/notes" ] || fail "$1: the live session $name was removed"
  done
}

# engine HOW SCRIPT…: from now on `podman` is this.
mkdir bin
engine() {
  printf '#!/bin/sh\n%s\n' "$1" >bin/podman
  chmod 755 bin/podman
}
real=$(command -v podman)
old_path=$PATH
PATH=$PWD/bin:$PATH

# `rest` runs what was asked for, for those that fail in one of their calls only.
rest="exec '$real' \"\$@\""
check() {
  engine "$2"
  [ "$(naive | wc -l)" -eq "${3:-0}" ] || fail "$1: the naive clean-up was expected to keep ${3:-0}"
  expect_code 69 "$HOLDFAST" --json gc --grace 0 --probe-timeout 2
  expect_json '.removed | length' 0
  expect_json '.unknown | length' 3
  all_there "$1"
  expect_code 69 "$HOLDFAST" gc --grace 0 --allow-all --probe-timeout 2
  all_there "$1, all allowed"
}
check 'it cannot be reached' 'echo "Cannot connect to Podman" >&2; exit 125'
check 'it is killed' 'kill -9 $$'
check 'it prints garbage' 'echo "<html>502 Bad Gateway</html>"'
check 'it answers nothing with status 0' 'exit 0'
check 'it answers an empty list with status 0' 'case "$1" in ps) echo "[]" ;; *) '"$rest"' ;; esac'
check 'it answers half' 'case "$1" in ps) '"'$real'"' "$@" | head -c 2 ;; *) '"$rest"' ;; esac'
check 'it is gone' 'exit 127'

# Hung: the naive one would hang with it, so only ours is shown.
engine 'exec sleep 1000'
expect_code 69 "$HOLDFAST" gc --grace 0 --probe-timeout 1
all_there 'it hangs'

# Another context: a store of its own answers truly that it has nothing.
mkdir "$scratch/elsewhere"
sed "s|^graphroot.*|graphroot = \"$scratch/elsewhere/root\"|; s|^runroot.*|runroot = \"$scratch/elsewhere/run\"|" \
  "$CONTAINERS_STORAGE_CONF" >"$scratch/elsewhere/storage.conf"
sed "s|$scratch/podman|$scratch/elsewhere|" "$CONTAINERS_CONF" >"$scratch/elsewhere/containers.conf"
check 'another context' "
CONTAINERS_STORAGE_CONF='$scratch/elsewhere/storage.conf' CONTAINERS_CONF='$scratch/elsewhere/containers.conf' exec '$real' \"\$@\""

# In order again, and everything was there all the time.
PATH=$old_path
expect_code 0 "$HOLDFAST" --json gc --grace 0
expect_json '.kept | map(select(.reason == "listed")) | length' 3

# One is gone, and the engine fails, lies or is another one when it is asked about that one by its id: it stays.
podman rm --force --time 0 one >/dev/null
PATH=$PWD/bin:$PATH
by_id() {
  engine "case \"\$1 \$2\" in 'container exists') $2 ;; *) $rest ;; esac"
  expect_code 69 "$HOLDFAST" --json gc --grace 0 --probe-timeout 2 --allow-all
  expect_json '.removed | length' 0
  all_there "$1"
}
by_id 'it fails when it is asked by id' 'echo "Error: no such container one" >&2; exit 125'
by_id 'it is killed when it is asked by id' 'kill -9 $$'
by_id 'it prints something when it is asked by id' 'echo "Error: no such container one"; exit 1'
by_id 'it hangs when it is asked by id' 'exec sleep 1000'
elsewhere="CONTAINERS_STORAGE_CONF='$scratch/elsewhere/storage.conf' CONTAINERS_CONF='$scratch/elsewhere/containers.conf'"
engine "
[ ! -e $PWD/switched ] || export $elsewhere
case \"\$1 \$2\" in 'container exists') : >$PWD/switched; export $elsewhere ;; esac
$rest"
expect_code 69 "$HOLDFAST" --json gc --grace 0
expect_json '.unknown | map(.reason) | unique | join(" ")' other-daemon
all_there 'the context was switched between the list and the question'
PATH=$old_path

# A healthy engine that says of each of them that it has no such container is believed: also when all are gone.
podman rm --all --force --time 0 >/dev/null
expect_code 0 "$HOLDFAST" --json gc --plan --grace 0
expect_json '.removed | length' 3
expect_code 0 "$HOLDFAST" --json gc --grace 0
expect_json '.removed | map(.reason) | unique | join(" ")' no-such-container
expect_json '.removed | length' 3
