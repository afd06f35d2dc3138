#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/container-sessions: a container could not be started. What podman had made for it goes with the session; one
# that only has its name, and is somebody else's, stays.
# label: system
. "$(dirname -- "$0")/../lib/lib.sh"
. "$(dirname -- "$0")/../lib/podman.inc"
. "$(dirname -- "$0")/container_sessions.inc"
expect_code 0 dock build
dock_run keep # with one that lives, an empty answer of the engine is not what gc looks at

# Between the reservation and the start somebody makes a container of that name.
engine "last=
for word; do
  if [ \"\$last\" = --name ]; then
    '$real' run -d --name \"\$word\" holdfast-test:1 sleep 1000 >>'$scratch/theirs' || exit 1
    echo \"\$word\" >'$scratch/name'
  fi
  last=\$word
done
exec '$real' \"\$@\""
expect_code 125 dock run web
expect_stderr_contains 'already in use'
name=$(cat "$scratch/name")
[ "$(podman inspect --format '{{.Id}}' "$name")" = "$(cat "$scratch/theirs")" ] || fail 'the container of somebody else is gone'
running "$name" || fail 'the container of somebody else was stopped'
engine_back
expect_code 0 "$HOLDFAST" workspace get "$name" --json
expect_json .state ended
podman rm --force --time 0 "$name" >/dev/null
expect_code 0 dock gc
[ ! -e "$(dock_dir "$name")" ] || fail 'a session was left behind'

# It is made, and does not come up: that one is ours, and goes.
engine "[ \"\$1\" = run ] || exec '$real' \"\$@\"
shift
for word; do
  shift
  case \$word in -d) ;; *) set -- \"\$@\" \"\$word\" ;; esac
done
'$real' create \"\$@\" && exit 126"
containers=$(podman ps -aq | wc -l)
expect_code 126 dock run web
made=$(tail -n 1 "$stderr")
engine_back
[ "${#made}" -eq 64 ] || fail "no container was made: $made"
! podman container exists "$made" || fail 'what was made for it is left behind'
[ "$(podman ps -aq | wc -l)" -eq "$containers" ] || fail 'a container was left behind'
