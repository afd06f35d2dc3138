#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stdin may be a file; a pipe (which a here-document may be, too) only with a check or by one's own word; closed
# is no content.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

printf content >source
expect_code 0 write f <source
expect_file f content
piped() { printf '{}' | write f "$@"; }
expect_code 64 piped
expect_stderr_contains 'allow-unchecked'
expect_code 64 piped --json
expect_json .error.cause unchecked-pipe
expect_file f content
expect_code 0 piped --check json
expect_file f '{}'
printf x >f
expect_code 0 piped --allow-unchecked
expect_file f '{}'
expect_code 0 write f --allow-unchecked <<'END'
from a document
END
expect_file f 'from a document
'
closed() { write f <&-; }
code=0
closed >"$stdout" 2>"$stderr" || code=$?
[ "$code" -ne 0 ] || fail 'a closed stdin is taken for content'
expect_code 65 write f </dev/null
# The command after -- may read it.
printf abc | expect_code 0 write f -- tr a-c x-z
expect_file f xyz
# In the middle of a file only the rest is taken.
printf 'first\nsecond\n' >source
{
  read -r _
  write f
} <source || fail 'the rest is not taken'
expect_file f 'second
'
expect_only f source
