#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One step of a counter, as a script does it under a lock: read, add one, replace.
# step.sh FILE
n=$(cat "$1") || exit 1
echo $((n + 1)) >"$1.$$" && mv "$1.$$" "$1"
