#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --links follow: a dotfile that is a link into a directory of dotfiles is pinned there, what is missing below a linked
# directory is made there, and what is told names the paths as they were declared. The link stays a link. A link that
# others could change, that leads to nothing, or that is there without the option is refused before anything is made.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

mkdir home dotfiles dotfiles/config
printf 'x\n' >dotfiles/gitconfig
chmod 644 dotfiles/gitconfig
ln -s ../dotfiles/gitconfig home/.gitconfig
ln -s ../dotfiles/config home/.config
cat >paths.toml <<'X'
[[path]]
path = "home/.gitconfig"
type = "file"
mode = "0600"
pin = true
[[path]]
path = "home/.config/tool/state.json"
type = "file"
mode = "0640"
parents = true
initial = "{}\n"
X
expect_code 77 "$HOLDFAST" ensure paths.toml --json
expect_cause is-link
expect_stdout_contains '--links follow'
expect_code 66 "$HOLDFAST" ensure paths.toml --links follow --check --json
expect_json '.missing[0]' "$PWD/home/.config/tool/state.json"
expect_json '.drift[0].path' "$PWD/home/.gitconfig"
expect_mode dotfiles/gitconfig 644

expect_code 0 "$HOLDFAST" ensure paths.toml --links follow --json
expect_json '[.created[].path] | join(" ")' "$PWD/dotfiles/config/tool $PWD/home/.config/tool/state.json"
expect_json '.pinned[0].path' "$PWD/home/.gitconfig"
expect_mode dotfiles/gitconfig 600
expect_mode dotfiles/config/tool/state.json 640
[ "$(readlink home/.gitconfig)" = ../dotfiles/gitconfig ] || fail 'the link has changed'
expect_code 0 "$HOLDFAST" ensure paths.toml --links follow --json
expect_json .present 2
expect_code 0 "$HOLDFAST" journal count --type ensure.drift --where "data.path=$PWD/home/.gitconfig"
expect_stdout_is 1

# A bind source may be a link as well.
printf 'services:\n  a:\n    volumes:\n      - ./home/.gitconfig:/g\n' >compose.yml
expect_code 0 "$HOLDFAST" ensure paths.toml --links follow --from-compose compose.yml

# One bad link, and nothing is made.
chmod 777 home
expect_code 77 "$HOLDFAST" ensure --file new --file home/.gitconfig --links follow --json
expect_cause untrusted-dir
expect_code 0 "$HOLDFAST" ensure --file home/.gitconfig --links follow --trust-dir
chmod 755 home
ln -s nowhere home/dangling
expect_code 77 "$HOLDFAST" ensure --file new --file home/dangling --links follow --json
expect_cause dangling-link
expect_code 77 "$HOLDFAST" ensure --file new --file home/dangling/x --parents --links follow --json
expect_cause dangling-link
expect_code 78 "$HOLDFAST" ensure --file new --file home/.gitconfig --file dotfiles/gitconfig --links follow --json
expect_cause duplicate-path
expect_code 64 "$HOLDFAST" ensure --file new --links replace
[ ! -e new ] || fail 'something was made'
[ ! -e home/nowhere ] || fail 'a dangling link was followed'
