#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An option that would have no effect is refused with 64, and the sentence says which other option it requires, or does
# not go with; nothing is done.
. "$(dirname -- "$0")/../../lib/lib.sh"

echo old >f
# refused SENTENCE ARGUMENTS…
refused() {
  sentence=$1
  shift
  expect_code 64 "$HOLDFAST" "$@" </dev/null
  expect_stderr_contains "$sentence"
}
refused 'use --verify-timeout: it requires --verify, --until, --progress or --profile' run --verify-timeout 5s -- touch ran
refused 'use --verify-timeout: it requires --verify' once k --verify-timeout 5s -- touch ran
refused 'use --wait: it requires --lock, --slots, --iterations, --profile or --if-busy' run --name n --wait 5s -- touch ran
refused 'use --log-max: it does not go with --no-log' run --name n --log-max 1M --no-log -- touch ran
refused 'use --limits-best-effort: it requires --memory' run --limits-best-effort -- touch ran
refused 'use --max-idle: it requires --progress' run --name n --iterations 2 --max-idle 1 -- touch ran
refused 'use --jitter: it requires --backoff' attempt k --max 2 --jitter -- touch ran
refused 'use --timeout: it requires a command' write f --from f --timeout 5s
refused 'use --allow-unchecked: it does not go with --from' write f --from f --allow-unchecked
refused 'use --allow-unchecked: ' write f --allow-unchecked -- echo new
refused 'use --rescue-timeout: it requires --rescue' gc --rescue-timeout 5s
refused 'use --allow: it does not go with --allow-all' gc --allow podman --allow-all
refused 'use --state: it does not go with --all' locks --all --state held
refused 'use --older-than: it does not go with --all' trash purge --all --older-than 1d
refused 'use --grace: it does not go with --assume-gone' stop n --assume-gone --reason x --grace 1s
refused 'use --timeout: it is for a command' journal anchor --to anchors --timeout 5s
refused 'use --sweep: it requires a PATH' doctor --sweep
[ ! -e ran ] || fail 'a command ran'
[ "$(cat f)" = old ] || fail 'the file was changed'
[ ! -e "$HOLDFAST_HOME" ] || fail 'a home was made'

# With its company each of them works.
expect_code 0 "$HOLDFAST" run --verify true --verify-timeout 5s -- true
expect_code 0 "$HOLDFAST" run --lock x --wait 5s -- true
expect_code 0 "$HOLDFAST" write f --timeout 5s -- echo new
