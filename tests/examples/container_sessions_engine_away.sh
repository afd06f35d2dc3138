#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/container-sessions, F1: the engine does not answer, or another one does. The naive clean-up deletes the homes
# of containers that run; the other keeps them, and starts nothing that it could not keep track of.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/podman.inc"
. "$(dirname -- "$0")/container_sessions.inc"
expect_code 0 naive build
expect_code 0 dock build
naive_run one
naive_one=$name
dock_run one
one=$name
dock_run two
two=$name
expect_code 0 dock resume "$one" words
mkdir "$scratch/elsewhere"
sed "s|$scratch/podman|$scratch/elsewhere|" "$CONTAINERS_STORAGE_CONF" >"$scratch/elsewhere/storage.conf"
sed "s|$scratch/podman|$scratch/elsewhere|" "$CONTAINERS_CONF" >"$scratch/elsewhere/containers.conf"

for fault in away elsewhere; do
  case $fault in
    away) engine 'echo "Cannot connect to Podman" >&2; exit 125' ;;
    elsewhere) engine "CONTAINERS_STORAGE_CONF='$scratch/elsewhere/storage.conf' \
      CONTAINERS_CONF='$scratch/elsewhere/containers.conf' exec '$real' \"\$@\"" ;;
  esac
  mkdir -p "$(naive_dir "$naive_one")"
  expect_code 0 naive gc
  [ ! -e "$(naive_dir "$naive_one")" ] || fail "$fault: the naive clean-up has become better"
  expect_code 69 dock gc
  expect_code 69 dock gc --allow-all
  for name in "$one" "$two"; do
    [ -d "$(dock_dir "$name")/home" ] || fail "$fault: the home of a container that runs is gone"
  done
done
engine 'echo "Cannot connect to Podman" >&2; exit 125'
before=$(ls "$DOCK/sessions")
expect_code 69 dock run three
[ "$(ls "$DOCK/sessions")" = "$before" ] || fail "something was begun: $(ls "$DOCK/sessions")"
engine_back
for name in "$naive_one" "$one" "$two"; do
  running "$name" || fail "$name did not run all the time"
done

# In order again: all are known, and the one that is really dead goes.
podman rm --force --time 0 "$two" >/dev/null
expect_code 0 dock gc
[ ! -e "$(dock_dir "$two")" ] || fail 'a dead session was not collected'
expect_code 0 dock resume "$one" more
expect_stdout_contains 'turn 2 of'

# A healthy engine that has nothing left is believed: it says of each that it has no such container.
podman rm --force --time 0 "$one" >/dev/null
expect_code 0 dock gc
[ ! -e "$(dock_dir "$one")" ] || fail 'the last session was not collected'
