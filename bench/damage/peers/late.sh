#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a holder does that will be stopped: says who it is, waits, and then replaces FILE: by mv, as scripts do (plain), or
# by a write that asks first whether the locks of its caller are still held (fenced).
# late.sh FILE READY GO WORD plain|fenced
echo "$$ $PPID" >"$2.new" && mv "$2.new" "$2"
until [ -e "$3" ]; do sleep 0.02; done
if [ "$5" = fenced ]; then
  exec "$HOLDFAST" write "$1" -- printf '%s\n' "$4"
fi
echo "$4" >"$1.$$" && mv "$1.$$" "$1"
