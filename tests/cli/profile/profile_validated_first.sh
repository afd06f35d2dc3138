#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Whatever is wrong with a profile is found before anything is done, with its place.
. "$(dirname -- "$0")/../../lib/profile.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# refused CODE TEXT: run says so, and nothing was done.
refused() {
  expect_code "$1" "$HOLDFAST" run --profile holdfast.toml
  expect_stderr_contains "$2"
  for trace in state order words; do
    [ ! -e "$trace" ] || fail "$trace was made"
  done
  write_profile
}

write_profile
sed -i 's/^timeout/timeuot/' holdfast.toml
refused 78 'holdfast.toml:6:1: there is no key `timeuot` here; did you mean `timeout`?'
sed -i 's/^timeout.*/timeout = 1 h/' holdfast.toml
refused 78 'holdfast.toml:6:'
sed -i 's/^timeout.*/kill_signal = "BANG"/' holdfast.toml
refused 78 'holdfast.toml:6:1'
sed -i 's/^timeout.*/limits = { cpu = "much" }/' holdfast.toml
refused 78 'holdfast.toml:6:12'
sed -i 's/^timeout.*/limits = { memory = 1000 }/' holdfast.toml
refused 78 'at least 1M'
sed -i 's/^check.*/check = "jsn"/' holdfast.toml
refused 78 'did you mean `json`?'
sed -i 's/^mode.*/mode = "u+x"/' holdfast.toml
refused 78 'profile step `refresh`'
sed -i 's/^env.*/env = { A = "${NOT_SET}" }/' holdfast.toml
refused 78 'NOT_SET'
rm paths.toml
refused 66 'profile step `ensure`'
sed -i 's/^mode.*/mode = "rwx"/' paths.toml
refused 78 'paths.toml:4:1'
sed -i 's/^required.*/require = true/' layers.toml
refused 78 'layers.toml:3:1'
sed -i 's/^command = .*{layers}.*/command = ["agent"]/' holdfast.toml
refused 78 '{layers}'
sed -i 's/^layers = .*//; s/^command = .*{layers}.*/command = "agent"/' holdfast.toml
expect_code 64 "$HOLDFAST" run --profile holdfast.toml -- word
expect_stderr_contains 'only an array'
expect_code 64 "$HOLDFAST" run --profile holdfast.toml --pids 0
[ ! -e state ] || fail 'something was done'

# Without a profile nothing has changed.
expect_code 64 "$HOLDFAST" run
expect_stderr_contains 'the command to run is missing'
[ ! -e "$HOLDFAST_HOME" ] || fail 'a home was made'
