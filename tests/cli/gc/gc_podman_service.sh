#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# podman behind the API of docker makes up an id of the daemon for each answer. Its sessions can be collected all the
# same, and only while it is the same service with the same store.
# label: system
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/podman.inc"
. "$(dirname -- "$0")/../../lib/gc.inc"
command -v docker >/dev/null || skip 'there is no client of docker'
need_podman

# serve: the service of whatever store the environment names, at $DOCKER_HOST.
service=
serve() {
  podman system service --time 0 "$DOCKER_HOST" >"$scratch/service.log" 2>&1 &
  service=$!
  tries=0
  until docker version >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 200 ] || skip "podman does not serve here: $(tail -n 1 "$scratch/service.log")"
    sleep 0.05
  done
}
end_service() {
  [ -z "$service" ] || { kill "$service" 2>/dev/null && wait "$service"; } 2>/dev/null || :
  service=
}
trap 'end_service; podman_end "$scratch/podman"; podman_end "$scratch/elsewhere"; remove_scratch' EXIT
DOCKER_CONFIG=$scratch/docker-config
DOCKER_HOST=unix://$scratch/sock
export DOCKER_CONFIG DOCKER_HOST
mkdir "$DOCKER_CONFIG"
echo "{}" >"$DOCKER_CONFIG/config.json"
unset DOCKER_CONTEXT
serve

for name in one two; do
  new "$name" --authority "docker:$name"
  podman_start "$name"
done
expect_code 0 gc --json
expect_reason kept one listed
expect_reason kept two listed
podman rm --force --time 0 one >/dev/null

# The service is away.
end_service
expect_code 69 gc --json --allow-all
expect_json '.removed | length' 0

# It was started again with another store, which truly has neither.
here=$CONTAINERS_STORAGE_CONF
mkdir "$scratch/elsewhere"
sed "s|$scratch/podman|$scratch/elsewhere|" "$here" >"$scratch/elsewhere/storage.conf"
sed "s|$scratch/podman|$scratch/elsewhere|" "$CONTAINERS_CONF" >"$scratch/elsewhere/containers.conf"
CONTAINERS_STORAGE_CONF=$scratch/elsewhere/storage.conf
CONTAINERS_CONF=$scratch/elsewhere/containers.conf
serve
expect_code 69 gc --json --allow-all
expect_reason unknown one other-daemon
expect_reason unknown two other-daemon
end_service
CONTAINERS_STORAGE_CONF=$here
CONTAINERS_CONF=$scratch/podman/containers.conf

# The context was switched: the same service at another socket may be anybody's.
old_host=$DOCKER_HOST
DOCKER_HOST=unix://$scratch/sock2
serve
expect_code 69 gc --json --allow-all
expect_reason unknown one other-endpoint
end_service
DOCKER_HOST=$old_host

# The same again: what is gone goes, also the last one.
serve
expect_code 0 gc --json
expect_reason removed one no-such-container
expect_reason kept two listed
podman rm --force --time 0 two >/dev/null
expect_code 0 gc --json
expect_reason removed two no-such-container

# podman's own client to the same service.
CONTAINER_HOST=$DOCKER_HOST
export CONTAINER_HOST
new three --authority podman:three
expect_code 0 gc --json
expect_reason removed three no-such-container
