#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The hooks in Python alone, as they are used where there is no shell of Unix: the same attacks.
# label: system
PIN=add_pin.py
export PIN
for attack in claude_md claude_md_orphan_marker claude_md_ttl; do
  sh "$(dirname -- "$0")/$attack.sh" || exit
done
