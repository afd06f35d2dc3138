#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In `gen | cat >tmp && mv tmp file` nobody looks at gen's status: a cut list takes the place of the whole one.
# holdfast runs every stage itself and uses the output only if all of them succeeded.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

# The connection breaks after two of the lines; what comes after it in the pipe ends well.
cat >fetch <<'END'
#!/bin/sh
echo 'allow 10.0.0.1'
echo 'allow 10.0.0.2'
exit 56
END
chmod +x fetch
good='allow 10.0.0.1
allow 10.0.0.2
deny all
'
naive() { ./fetch | sort | cat >rules.tmp && mv rules.tmp rules; }
safe() { write rules --pipe -- ./fetch '|' sort '|' cat; }

printf '%s' "$good" >rules
expect_code 0 naive
! grep -q 'deny all' rules || fail 'the naive version has become better'

printf '%s' "$good" >rules
expect_code 65 safe
expect_stderr_contains '`./fetch` exited with 56'
expect_file rules "$good"
# Behind a pipe that it did not start it could not see that, so it does not pretend to.
# shellcheck disable=SC2317 # called by expect_code
blind() { ./fetch | write rules; }
expect_code 64 blind
expect_stderr_contains 'its end looks the same'
expect_file rules "$good"
expect_only fetch rules
