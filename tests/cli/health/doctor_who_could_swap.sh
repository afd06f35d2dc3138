#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A directory that others may write to is a hazard: the place itself, any above it, also behind a link.
. "$(dirname -- "$0")/../../lib/lib.sh"

hazard() { # hazard CHECK SUBJECT ARGUMENTS…
  check=$1 subject=$2
  shift 2
  expect_code 66 "$HOLDFAST" --json doctor "$@"
  expect_json ".findings[] | select(.check == \"$check\") | .verdict" hazard
  expect_json ".findings[] | select(.check == \"$check\") | .subject" "$subject"
}

mkdir open && chmod 777 open && mkdir -m 700 open/mine
hazard tampering "$PWD/open" open
hazard tampering "$PWD/open" "$PWD/open/"
hazard above "$PWD/open" open/mine

ln -s open/mine safe
hazard above "$PWD/open" safe
mkdir -m 700 safe/home
hazard above "$PWD/open" --home "$PWD/safe/home"

chmod 1777 open
expect_code 0 "$HOLDFAST" doctor open/mine
