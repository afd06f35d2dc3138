#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The steps of a profile are done once per call: not for each iteration, and not by `resume`, which does not read the
# profile and runs the recorded command, also where the file is gone.
. "$(dirname -- "$0")/../lib/run_session.inc"
. "$(dirname -- "$0")/../lib/lib.sh"

cat >holdfast.toml <<'X'
[session.agent]
command = "echo ran >>ran"
[[session.agent.refresh]]
path = "config"
command = "echo step >>steps; cat steps"
X
lines() { wc -l <"$1"; }
expect_code 0 "$HOLDFAST" run --profile agent --iterations 3
[ "$(lines ran) $(lines steps)" = '3 1' ] || fail "$(lines ran) iterations, $(lines steps) steps"
expect_code 0 "$HOLDFAST" run --profile agent --name other
[ "$(lines ran) $(lines steps)" = '4 2' ] || fail 'a run does the steps'
rm holdfast.toml
expect_code 0 "$HOLDFAST" resume other
[ "$(lines ran) $(lines steps)" = '5 2' ] || fail 'resume did the steps'
