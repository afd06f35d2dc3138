#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is done under a lock: stamps its entry in a log, stays for a while, and stamps its leave.
# inside.sh LOG SECONDS WHO
printf 'in %s %s\n' "$3" "$EPOCHREALTIME" >>"$1"
sleep "$2"
printf 'out %s %s\n' "$3" "$EPOCHREALTIME" >>"$1"
