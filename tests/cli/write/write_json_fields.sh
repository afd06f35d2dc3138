#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --json is one document that says what was there, what is there now, and how sure that is.
. "$(dirname -- "$0")/../../lib/write.inc"
. "$(dirname -- "$0")/../../lib/lib.sh"

expect_code 0 write f --json -- printf one
expect_json 'keys | join(" ")' 'backup bytes changed code committed durable fenced fences new_sha256 ok old_sha256 producer'
expect_json '"\(.ok) \(.code) \(.changed) \(.committed) \(.durable) \(.old_sha256)"' 'true 0 true true true null'
expect_json .new_sha256 "$(sha_of f)"
expect_json .bytes 3
expect_json '.producer[0] | "\(.command) \(.exit_code) \(.signal) \(.started)"' 'printf 0 null true'
one=$(sha_of f)
expect_code 0 write f --json --durability data -- printf two
expect_json '"\(.changed) \(.durable) \(.old_sha256)"' "true false $one"
expect_code 0 write f --json --from f
expect_json '"\(.changed) \(.committed) \(.durable) \(.producer)"' 'false true true null'
expect_code 0 write f --json --durability none -- printf two
expect_json '"\(.changed) \(.committed) \(.durable)"' 'false true false'
expect_code 65 write f --json -- sh -c 'printf x; exit 9'
expect_json '"\(.ok) \(.code) \(.error.cause) \(.producer[0].exit_code)"' 'false 65 producer-failed 9'
expect_no_stderr
expect_code 0 update f --json -- tr a-z A-Z
expect_json '"\(.tries) \(.changed) \(.producer | length)"' '1 true 1'
expect_file f TWO
