#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a holder does that will be stopped: says who it is, waits, and then replaces FILE.
# late.sh FILE READY GO WORD
echo "$$ $PPID" >"$2.new" && mv "$2.new" "$2"
until [ -e "$3" ]; do sleep 0.02; done
if [ -n "${HOLDFAST_CHAIN:-}" ]; then
  exec "$HOLDFAST" write "$1" -- printf '%s\n' "$4"
fi
echo "$4" >"$1.$$" && mv "$1.$$" "$1"
