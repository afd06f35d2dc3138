#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Mode and attributes stay, a change that says None writes nothing, histories keep their bytes and their caps, and the
# program reads them; a full disk leaves the old content.
. "$(dirname -- "$0")/lib.inc"
echo old >f && chmod 640 f
expect_code 0 lite 'assert hf.update("f", lambda old: old + b"new\n") == b"old\nnew\n"'
[ "$(stat -c %a f)" = 640 ] || fail 'the mode changed'
inode=$(stat -c %i f)
expect_code 0 lite 'hf.update("f", lambda old: None)'
[ "$(stat -c %i f)" = "$inode" ] || fail 'nothing was to be written'
(umask 077 && expect_code 0 lite 'hf.replace("g", "text")')
(umask 022 && expect_code 0 lite 'hf.replace("g2", "text")')
[ "$(stat -c %a g g2 | tr '\n' ' ')" = '600 644 ' ] || fail 'not the umask'

printf '[ {"b": 1.50} ]\n' >h.json
expect_code 0 lite 'hf.append("h.json", {"n": "ä"}, cap=2)'
grep -qF '{"b": 1.50}' h.json || fail 'an entry was spelled anew'
expect_code 0 lite 'hf.append("h.json", {"n": 2}, cap=2); assert [e["n"] for e in hf.entries("h.json")] == ["ä", 2]'
expect_code 0 "$HOLDFAST" ledger last h.json --within 1h --json
expect_json .entry.n 2
expect_code 0 "$HOLDFAST" ledger append h.jsonl --data '{"n":1}'
expect_code 0 lite 'hf.append("h.jsonl", {"n": 2})'
expect_code 0 "$HOLDFAST" ledger check h.jsonl
expect_stdout_is '2 entries, lines, whole'
expect_code 0 lite 'assert hf.entries("absent.json") == []'

# A limit on the size of files stands for the full disk: the write fails half-way.
expect_code 69 sh -c 'ulimit -f 1; exec python3 -c "
import signal, sys, holdfast_lite as hf
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try: hf.replace(\"f\", b\"x\" * 1000000)
except hf.HoldfastError as error: sys.exit(error.code)"'
[ "$(wc -l <f)" -eq 2 ] || fail 'the old content is gone'
[ -z "$(find . -name '.hf-stage-*')" ] || fail 'a stage was left'
