#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A home that is a link, is writable by others or holds other things is refused with 77 and the remedy.
. "$(dirname -- "$0")/../../lib/lib.sh"

refused() { # refused CAUSE HOME WORDS
  expect_code 77 "$HOLDFAST" --home "$2" doctor --init
  expect_stderr_contains "$3"
  expect_no_stdout
  expect_code 77 "$HOLDFAST" --json doctor --init --home "$2"
  expect_json .error.cause "$1"
}

mkdir -m 700 real && ln -s real link
refused home-is-link link 'symbolic link'
refused home-is-link link/ 'symbolic link'
[ -z "$(ls real)" ] || fail 'something was made behind the link'

mkdir open && chmod 770 open
refused home-writable-by-others open "chmod 700 $PWD/open"

mkdir -m 700 project && touch project/main.c
refused home-not-empty project 'main.c'
[ "$(ls -A project)" = main.c ] || fail 'a directory with other things was changed'

touch file
refused home-not-a-directory file 'not a directory'
