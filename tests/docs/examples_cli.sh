#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every example of the reference (docs/cli, the help, the manual pages) can be typed as it stands: run_cli_examples.py
# runs each of them among stand-ins.
# label: system
set -eu
: "${HOLDFAST:=holdfast}"
export HOLDFAST
for program in python3 bash jq; do
  command -v "$program" >/dev/null || { echo "SKIP: $program is not installed"; exit 4; }
done
exec python3 "$(dirname -- "$0")/run_cli_examples.py" "$@"
