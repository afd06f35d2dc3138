#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/container-sessions, F6: a fresh home without .gitconfig. Through the API of Docker the engine makes a directory
# of the missing file, and git is broken on the host; with the other version the file is there before.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/podman.inc"
. "$(dirname -- "$0")/container_sessions.inc"
for tool in curl git; do
  command -v "$tool" >/dev/null 2>&1 || skip "$tool is not installed"
done
# A client of that API: the engine is given the binds of `run` as Docker's own client gives them.
podman system service --time 0 "unix://$scratch/api" >"$scratch/service.log" 2>&1 &
service=$!
trap 'kill "$service" 2>/dev/null || :; wait "$service" 2>/dev/null || :
  podman_end "$scratch/podman"; remove_scratch' EXIT
up() { curl -sf --unix-socket "$scratch/api" http://d/_ping >/dev/null 2>&1; }
wait_for 'the service answers' up
export real api="$scratch/api"
engine '
if [ "$1" = run ]; then
  binds= last=
  for word; do
    case $word in --volume=*) binds="$binds ${word#--volume=}" ;; esac
    [ "$last" != -v ] || binds="$binds $word"
    last=$word
  done
  [ -n "$binds" ] || exec "$real" "$@"
  json=$(printf "%s\n" $binds |
    jq -nR "{Image: \"localhost/holdfast-test:1\", Cmd: [\"sleep\"], HostConfig: {Binds: [inputs]}}")
  id=$(curl -sSf --unix-socket "$api" --json "$json" http://d/v1.40/containers/create | jq -r .Id) || exit 125
  "$real" rm "$id" >/dev/null
fi
exec "$real" "$@"'

expect_code 0 naive build
rm "$HOME/.gitconfig"
naive_run web
[ -d "$HOME/.gitconfig" ] || fail 'the engine made no directory'
! git config --global user.name me 2>/dev/null || fail 'the naive one has become better: git works'
rmdir "$HOME/.gitconfig"

expect_code 0 dock build
dock_run web
[ -f "$HOME/.gitconfig" ] || fail 'there is no file'
git config --global user.name me || fail 'git does not work'
running "$name" || fail 'the container does not run'
cp "$HOME/.gitconfig" before
dock_run web
cmp before "$HOME/.gitconfig" || fail 'what was there was changed'

# What an engine has made is not used, and not removed either: a person is told.
rm "$HOME/.gitconfig"
mkdir "$HOME/.gitconfig"
expect_code 77 dock run web
expect_stderr_contains .gitconfig
