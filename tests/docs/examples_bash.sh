#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# README and tutorial, which people paste, say in bash what they say in sh.
# label: system
set -eu
: "${HOLDFAST:=holdfast}"
export HOLDFAST
here=$(cd -P -- "$(dirname -- "$0")" && pwd)
root=$(cd -P -- "$here/../.." && pwd)
for program in python3 bash; do
  command -v "$program" >/dev/null || { echo "SKIP: $program is not installed"; exit 4; }
done
exec python3 "$here/run_examples.py" --root "$root" --shell bash -- "$root/README.md" "$root/docs/manual/tutorial.md"
