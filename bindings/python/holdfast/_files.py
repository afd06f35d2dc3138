# SPDX-License-Identifier: Apache-2.0
"""Files that are changed whole or not at all, blocks, ledgers, the journal and identities."""

import ctypes
import io
import json
from contextlib import contextmanager
from ctypes import byref, c_char_p, c_size_t, c_uint64, c_void_p
from typing import IO, Any, Callable, Dict, Iterable, Iterator, List, Optional, Union

from . import _native as native
from ._lock import Lock, one_of

lib = native.lib
_FLAGS = {"allow_empty": 4, "break_hardlinks": 8, "foreign_owner": 16, "trust_dir": 32, "in_place": 64, "create": 128,
          "overwrite_edits": 256}
_LINKS = {None: 0, "follow": 1, "replace": 2}
_DURABILITY = {"full": 0, "data": 1, "none": 2}
Content = Union[str, bytes]
Where = Union[Dict[str, Any], Iterable[str]]


def content_bytes(content: Content) -> bytes:
    return content.encode() if isinstance(content, str) else bytes(memoryview(content))


def file_options(*, links: Optional[str] = None, durability: str = "full", permissions: int = 0, backups: int = 0,
                 wait: float = 0, if_hash: Optional[str] = None, check: Optional[str] = None,
                 fence: Optional[Lock] = None, **flags: bool) -> native.FileOptionsStruct:
    """`holdfast help write` has the meaning of each; wait: seconds, 0 is ten; check: "json", "jsonl", "toml", "utf8"."""
    bits = one_of("links", links, _LINKS)
    for name, wanted in flags.items():
        if name not in _FLAGS:
            raise TypeError(f"unknown option {name!r}")
        bits |= _FLAGS[name] if wanted else 0
    return native.FileOptionsStruct(
        flags=bits, durability=one_of("durability", durability, _DURABILITY), mode=permissions, backups=backups,
        wait_ms=native.milliseconds(wait) if wait else 0,
        if_hash=None if if_hash is None else native.text_bytes(if_hash),
        check=None if check is None else native.text_bytes(check),
        fence=None if fence is None else fence._seat._as_parameter_)


def words(where: Where) -> Any:
    """FIELD=VALUE strings, or a dict of them, for C."""
    items = [f"{key}={value}" for key, value in where.items()] if isinstance(where, dict) else list(where)
    found = [native.text_bytes(item) for item in items]
    return (c_char_p * (len(found) + 1))(*found, None)


def replace(path: native.AnyPath, content: Content, **options: Any) -> Any:
    """Readers find the old or the new content, also after a crash. Answers `changed`, `new_sha256` and others."""
    data = content_bytes(content)
    return native.document(lib.holdfast_replace, native.default_home(), native.path_bytes(path), data, len(data),
                           byref(file_options(**options)))


@contextmanager
def atomic_write(path: native.AnyPath, mode: str = "w", *, encoding: str = "utf-8", **options: Any) -> Iterator[IO[Any]]:
    """A file to write to, which replaces `path` at the end of the `with`, unless that ends with an exception."""
    if mode not in ("w", "wb"):
        raise ValueError(f"mode must be 'w' or 'wb', not {mode!r}")
    file_options(**options)
    text = io.StringIO() if mode == "w" else None
    binary = io.BytesIO()
    yield text if text is not None else binary
    replace(path, text.getvalue().encode(encoding) if text is not None else binary.getvalue(), **options)


def update(path: native.AnyPath, change: Callable[[bytes], Optional[Content]], **options: Any) -> Any:
    """Replaces the file by `change(old content)`, under its lock: no update is lost. None leaves it as it is."""
    raised: List[BaseException] = []
    stopped = [False]

    def make(_: Any, old: Optional[int], length: int, out: int) -> int:
        stopped[0] = False
        try:
            new = change(ctypes.string_at(old, length) if old else b"")
            if new is None:
                stopped[0] = True
                return 1
            data = content_bytes(new)
            return int(lib.holdfast_output_write(out, data, len(data)))
        except BaseException as error:  # it must not go through C
            raised.append(error)
            return 1

    try:
        return native.document(lib.holdfast_update, native.default_home(), native.path_bytes(path),
                               native.UPDATE(make), None, byref(file_options(**options)))
    except native.Corrupt:
        if raised:
            raise raised[-1] from None
        if stopped[0]:
            return None
        raise


class Block:
    """The marked block `id` of a text file that others edit."""

    def __init__(self, path: native.AnyPath, id: str) -> None:
        self._where = native.path_bytes(path), native.text_bytes(id)

    def put(self, content: Content, **options: Any) -> Any:
        data = content_bytes(content)
        return native.document(lib.holdfast_block_put, native.default_home(), *self._where, data, len(data),
                               byref(file_options(**options)))

    def get(self) -> str:
        """NotFound (66): no such block or file."""
        text, length = c_void_p(), c_size_t()
        native.check(lib.holdfast_block_get, native.default_home(), *self._where, byref(text), byref(length))
        return native.take_text(text) or ""

    def remove(self, **options: Any) -> Any:
        return native.document(lib.holdfast_block_remove, native.default_home(), *self._where,
                               byref(file_options(**options)))


class Ledger:
    """A history of JSON objects, each with its time."""

    def __init__(self, path: native.AnyPath) -> None:
        self._path = native.path_bytes(path)

    def append(self, entry: Dict[str, Any], *, cap: int = 0, cap_per: Optional[str] = None,
               time_field: Optional[str] = None, **options: Any) -> Any:
        file = file_options(**options)
        ledger = native.LedgerOptionsStruct(
            cap=cap, cap_per=None if cap_per is None else native.text_bytes(cap_per),
            time_field=None if time_field is None else native.text_bytes(time_field), file=ctypes.addressof(file))
        return native.document(lib.holdfast_ledger_append, native.default_home(), self._path,
                               json.dumps(entry).encode(), byref(ledger))

    def last(self, where: Where = (), within: Optional[float] = None) -> Any:
        """The newest entry that matches, not older than `within` seconds; None where there is none, for certain."""
        try:
            found = native.document(lib.holdfast_ledger_last, native.default_home(), self._path, words(where),
                                    0 if within is None else max(1, native.milliseconds(within)))
        except native.NotFound:
            return None
        return found["entry"]

    def entries(self) -> Any:
        """Oldest first."""
        return native.document(lib.holdfast_ledger_read, native.default_home(), self._path)

    def repair(self) -> Any:
        return native.document(lib.holdfast_ledger_repair, native.default_home(), self._path)


class Journal:
    """What happened, of this state directory."""

    def append(self, type: str, data: Optional[Dict[str, Any]] = None, *, decision: bool = False) -> int:
        """Types of your own begin with `x.`. A decision is on stable storage when this returns."""
        seq = c_uint64()
        native.check(lib.holdfast_journal_append, native.default_home(), native.text_bytes(type),
                     None if data is None else json.dumps(data).encode(), 2 if decision else 0, byref(seq))
        return seq.value

    def query(self, *types: str, where: Where = (), since: float = 0, until: float = 0, limit: int = 0,
              newest_first: bool = False) -> Any:
        """A list of events; `since` and `until` as time.time(). Corrupt (65) has what could be read in `document`."""
        kinds, fields = words(types), words(where)
        query = native.QueryStruct(
            newest_first=newest_first, types=ctypes.addressof(kinds) if types else None, where=ctypes.addressof(fields),
            since_unix_ms=int(since * 1000), until_unix_ms=int(until * 1000), limit=limit)
        return native.document(lib.holdfast_journal_query, native.default_home(), byref(query))["events"]


class Identity:
    """A process, and never another one of its number. str() is a line to keep in place of a pid file."""

    def __init__(self, line: str) -> None:
        self._line = native.text_bytes(line)

    def __str__(self) -> str:
        return self._line.decode()

    @classmethod
    def of(cls, pid: int = 0) -> "Identity":
        """Ask while the number is certainly its own; 0 is this process. NotFound (66): there is none."""
        text = c_void_p()
        native.check(lib.holdfast_identify, pid, byref(text))
        return cls(native.take_text(text) or "")

    def alive(self) -> bool:
        """CannotTell (69) is neither."""
        try:
            native.document(lib.holdfast_alive, self._line)
        except native.NotFound:
            return False
        return True

    def kill(self, *, tree: bool = False, signal: int = 0, grace: float = 0, wait: float = 0) -> Any:
        """TERM, then KILL after `grace` seconds (0: ten). NotFound (66): it was gone; Refused (77): another process."""
        options = native.KillOptionsStruct(flags=1 if tree else 0, signal=signal,
                                           grace_ms=native.milliseconds(grace) if grace else 0,
                                           wait_ms=native.milliseconds(wait) if wait else 0)
        return native.document(lib.holdfast_kill, native.default_home(), self._line, byref(options))
