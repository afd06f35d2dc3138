#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every bind source of a compose file gets its declared type before an engine makes it a directory of
# root; one that is not declared is 78, naming service and source, and nothing is made.
. "$(dirname -- "$0")/../../lib/lib.sh"

cat >compose.yaml <<'YAML'
x-common: &common
  volumes:
    - ./conf/app.toml:/etc/app.toml:ro
services:
  web: {<<: *common}
  db:
    volumes:
      - type: bind
        source: ${DATA:-./data}
        target: /var/lib/db
      - cache:/cache
volumes: {cache: {}}
YAML
cat >paths.toml <<'TOML'
[[path]]
path = "conf"
type = "dir"
mode = "0755"
[[path]]
path = "conf/app.toml"
type = "file"
mode = "0644"
[[path]]
path = "unused"
type = "dir"
mode = "0755"
TOML
expect_code 78 "$HOLDFAST" ensure paths.toml --from-compose compose.yaml
expect_stderr_contains "the service db binds $PWD/data"
[ ! -e conf ] || fail 'something was made'
printf '[[path]]\npath = "data"\ntype = "dir"\nmode = "0700"\n' >>paths.toml
expect_code 0 "$HOLDFAST" ensure paths.toml --from-compose compose.yaml
[ -f conf/app.toml ] || fail 'the file was not made'
[ -d data ] || fail 'the directory was not made'
[ ! -e unused ] || fail 'more than the sources was made'
printf '{"services": {"s": {"volumes": [{"type": "bind", "source": "%s/unused", "target": "/x"}]}}}' "$PWD" >c.json
expect_code 0 "$HOLDFAST" ensure paths.toml --from-compose - <c.json
[ -d unused ] || fail 'the output of docker compose config was not read'
DATA=./unset_here expect_code 78 "$HOLDFAST" ensure paths.toml --from-compose compose.yaml
printf 'services: {s: {volumes: ["${NOT_SET}/x:/y"]}}\n' >bad.yaml
expect_code 78 "$HOLDFAST" ensure paths.toml --from-compose bad.yaml
expect_stderr_contains 'NOT_SET is not set'
