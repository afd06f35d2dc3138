#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The clean-up that every harness writes (`docker ps || true`) deletes live sessions when the engine is away;
# holdfast, asked the same thing of the same engine, keeps them. (The engine is a stand-in that fails as one does.)
. "$(dirname -- "$0")/../../lib/lib.sh"
. "$(dirname -- "$0")/../../lib/gc.inc"

mkdir bin naive
cat >bin/engine <<'ENGINE'
#!/bin/sh
case $(cat state) in
  one) echo web-1 ;;
  up) printf 'web-1\nweb-2\n' ;;
  away) echo 'Cannot connect to the daemon. Is it running?' >&2; exit 1 ;;
  other) : ;;  # another context: it answers, with status 0, and knows nobody
  hung) exec sleep 60 ;;
esac
ENGINE
chmod 755 bin/engine
PATH=$PWD/bin:$PATH
naive() {
  live=$(engine 2>/dev/null || true)
  for dir in naive/*/; do
    echo "$live" | grep -qx "$(basename "$dir")" || rm -rf "$dir"
  done
}
for i in 1 2; do
  new "web-$i" --authority "command:engine/web-$i"
  echo work >"$sessions/web-$i/file"
done
for state in away other; do
  echo $state >state
  mkdir -p naive/web-1 naive/web-2
  naive
  [ -z "$(ls naive)" ] || fail "the naive clean-up kept something: $state"
  code=0
  gc --probe engine >"$stdout" 2>"$stderr" || code=$?
  case $state in away) [ $code -eq 69 ] ;; other) [ $code -eq 77 ] ;; esac || fail "$state: exit code $code"
  { [ -f "$sessions/web-1/file" ] && [ -f "$sessions/web-2/file" ]; } || fail "holdfast deleted a live session: $state"
done
echo hung >state
expect_code 69 gc --probe engine --probe-timeout 300ms
echo up >state
expect_code 0 gc --probe engine --json
expect_reason kept web-1 listed
# What the engine does not know any more goes.
echo one >state
expect_code 0 gc --probe engine --json
expect_reason kept web-1 listed
expect_reason removed web-2 not-listed
