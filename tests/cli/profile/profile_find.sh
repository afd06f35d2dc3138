#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A profile is found by its file, or by the name of the session here and then in the user's config.
. "$(dirname -- "$0")/../../lib/lib.sh"

config=$HOME/.config/holdfast
mkdir -p "$config" "$scratch/xdg/holdfast" "$scratch/empty"
profile() { printf '[session.%s]\ncommand = "echo %s"\n' "$1" "$2"; }
{ profile here 'from here' && profile both 'from here'; } >holdfast.toml
{ profile both 'from config' && profile mine 'from config'; } >"$config/config.toml"
profile mine 'from xdg' >"$scratch/xdg/holdfast/config.toml"
profile only one >single.toml

expect_code 0 "$HOLDFAST" run --profile here
expect_stdout_is 'from here'
expect_code 0 "$HOLDFAST" run --profile both
expect_stdout_is 'from here'
expect_code 0 "$HOLDFAST" run -p mine
expect_stdout_is 'from config'
expect_code 0 env XDG_CONFIG_HOME="$scratch/xdg" "$HOLDFAST" run --profile mine
expect_stdout_is 'from xdg'
expect_code 0 env XDG_CONFIG_HOME= "$HOLDFAST" run --profile mine
expect_stdout_is 'from config'
expect_code 0 "$HOLDFAST" run --profile single.toml
expect_stdout_is one
expect_code 0 "$HOLDFAST" run --profile ./holdfast.toml both
expect_stdout_is 'from here'

# Not found: it says where it was looked for.
expect_code 66 "$HOLDFAST" run --profile none
expect_stderr_contains "$PWD/holdfast.toml"
expect_stderr_contains "$config/config.toml"
expect_stderr_contains '`here`, `both`'
(cd "$scratch/empty" && expect_code 66 "$HOLDFAST" run --profile here && expect_stderr_contains 'which is not there')
expect_code 66 "$HOLDFAST" run --profile holdfast.toml her
expect_stderr_contains 'did you mean `here`?'
expect_code 66 "$HOLDFAST" run --profile ./none.toml
expect_code 78 env XDG_CONFIG_HOME=relative "$HOLDFAST" run --profile none

# Which one?
expect_code 64 "$HOLDFAST" run --profile holdfast.toml
expect_stderr_contains '`here`, `both`'
expect_code 64 "$HOLDFAST" run --profile here both

# One that anybody could have written is believed only if that is asked for.
chmod 666 holdfast.toml
for profile in both './holdfast.toml both'; do
  # shellcheck disable=SC2086 # two words
  expect_code 77 "$HOLDFAST" run --profile $profile
  expect_stderr_contains 'everybody may write to it'
  expect_stderr_contains 'chmod o-w'
done
expect_code 0 "$HOLDFAST" run --trust-dir --profile ./holdfast.toml both
expect_stdout_is 'from here'
expect_code 64 "$HOLDFAST" run --trust-dir -- true
chmod 644 holdfast.toml

# A file that cannot be understood is not passed over.
echo 'nonsense' >holdfast.toml
expect_code 78 "$HOLDFAST" run --profile mine
expect_stderr_contains 'holdfast.toml:1:'
