#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Data too large for a record is kept beside the journal, and comes back as if it were in it; a blob that is
# changed or gone is reported.
. "$(dirname -- "$0")/../../lib/lib.sh"

text=$(head -c 200000 /dev/zero | tr '\0' y)
printf '{"text":"%s","n":7}' "$text" >large
expect_code 0 "$HOLDFAST" journal append --type x.large <large
expect_code 0 "$HOLDFAST" journal query --type x.large --json
jq -c .data <"$stdout" | cmp - large 2>/dev/null || [ "$(jq -c .data <"$stdout")" = "$(cat large)" ] ||
  fail 'other data came back'
expect_code 0 "$HOLDFAST" journal count --type x.large --where data.n=7
expect_stdout_is 1
expect_code 0 "$HOLDFAST" journal verify --json
expect_json .blobs 1

for blob in "$HOLDFAST_HOME"/journal/blobs/*; do
  chmod u+w "$blob"
  sed -i 's/"n":7/"n":8/' "$blob"
done
expect_code 65 "$HOLDFAST" journal verify --json
expect_json '.damaged[0].kind' blob
expect_code 65 "$HOLDFAST" journal query --type x.large --json
expect_stderr_contains 'blob'
rm "$HOLDFAST_HOME"/journal/blobs/*
expect_code 65 "$HOLDFAST" journal verify
expect_code 65 "$HOLDFAST" journal repair
expect_stderr_contains 'cannot be repaired'
