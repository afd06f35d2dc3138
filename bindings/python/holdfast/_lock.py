# SPDX-License-Identifier: Apache-2.0
"""Locks with a token, a fence, a lease and going on without, on record."""

import threading
from ctypes import byref
from typing import Any, Callable, Collection, Optional

from . import _native as native

_KINDS = {"name": native.NAMED, "file": native.FILE, "path": native.PATH}
_ON_EXPIRED = {"wait": 0, "take": 1, "kill": 2, "replace": 3}
_YIELDS = {None: 0, "wait": 1, "take": 2, "kill": 3}


def one_of(name: str, value: Any, words: Any) -> int:
    try:
        return int(words[value])
    except (KeyError, TypeError):
        raise ValueError(f"{name} must be one of {', '.join(repr(word) for word in words)}, not {value!r}") from None


class Lock:
    """One seat at the lock `name`. True in a condition while it is held and not known to be lost.

    kind: "name" (one that begins with /, ./ or ../ is a path), "file" (the lock beside that file) or "path" (flock of it).
    timeout: seconds to wait; None waits for ever, 0 not at all.
    ttl: a lease in seconds, renewed by a thread of its own as long as this process lives and can run.
    on_expired, yields: what to do with a holder whose lease ran out; what this holder agrees to.
    lost: called once, in that thread, with this lock, when it is another's by now.
    fail_open: reasons ("timeout", "enospc", … or "any") to go on without the lock, which is on record first.
    """

    def __init__(self, name: native.AnyPath, *, kind: str = "name", timeout: Optional[float] = None,
                 ttl: Optional[float] = None, on_expired: str = "wait", yields: Optional[str] = None,
                 shared: bool = False, reason: Optional[str] = None, lost: Optional[Callable[["Lock"], Any]] = None,
                 fail_open: Collection[str] = ()) -> None:
        if isinstance(fail_open, str):
            raise TypeError("fail_open must be a set of words")
        self.name, self._timeout, self._lost_call, self._fail_open = name, timeout, lost, frozenset(fail_open)
        self._options = native.LockOptionsStruct(
            flags=native.SHARED if shared else 0, ttl_ms=0 if ttl is None else native.milliseconds(ttl),
            on_expired=one_of("on_expired", on_expired, _ON_EXPIRED), yields=one_of("yields", yields, _YIELDS),
            reason=None if reason is None else native.text_bytes(reason))
        self._renew_every = None if ttl is None else ttl / 3
        self._seat = native.Seat(one_of("kind", kind, _KINDS), native.path_bytes(name))
        self._held = self._is_lost = False
        self._end: Optional[threading.Event] = None
        self._renewer: Optional[threading.Thread] = None

    def acquire(self) -> "Lock":
        """Busy (75) when the time is over. Of a reason in `fail_open`, it comes back without the lock."""
        error = self._seat.attempt(self._options)
        if error is not None and error.code == 75 and self._timeout != 0:
            self._options.wait_ms = native.milliseconds(self._timeout)
            error = self._seat.wait_awake(self._options)
        self._acquired(error)
        return self

    def _acquired(self, error: Optional[native.ErrorStruct]) -> None:
        self._options.wait_ms = 0
        if error is not None:
            word = "unknown" if error.code == 69 else error.cause.decode()
            if not self._fail_open & {word, "any"}:
                native.raise_error(error.code, error)
            code = native.lib.holdfast_lock_fail_open(self._seat, word.encode(), None)
            if code:  # not a reason to go on, or not on record: what happened first is said
                native.raise_error(error.code, error)
            return
        self._held, self._is_lost = True, False
        if self._renew_every is not None:
            self._end = threading.Event()
            self._renewer = threading.Thread(target=self._renew_until, args=(self._end,), daemon=True,
                                             name="holdfast-renew")
            self._renewer.start()

    def _renew_until(self, end: threading.Event) -> None:
        while not end.wait(self._renew_every):
            try:
                self.renew()
            except native.Refused:
                return
            except native.Error:
                continue  # the disk may be back in time

    def _say_lost(self) -> None:
        first, self._is_lost = not self._is_lost, True
        if first and self._lost_call is not None:
            self._lost_call(self)

    def _grant(self) -> native.GrantStruct:
        grant = native.GrantStruct()
        native.check(native.lib.holdfast_lock_grant, self._seat, byref(grant))
        return grant

    @property
    def token(self) -> str:
        return str(self._grant().token.decode())

    @property
    def fence(self) -> int:
        """Rises with every grant of this lock."""
        return int(self._grant().fence)

    def check(self) -> None:
        """Refused (77) if it is no longer ours. Asks the file, not the memory."""
        self._ask(native.lib.holdfast_lock_check)

    def renew(self) -> None:
        self._ask(native.lib.holdfast_lock_renew)

    def _ask(self, call: Any) -> None:
        try:
            native.check(call, self._seat)
        except native.Refused as error:
            if error.cause == "lost":
                self._say_lost()
            raise

    def release(self) -> None:
        """NotFound (66) if it is not held; Refused (77) if it was lost, and then nothing was changed."""
        if self._end is not None:
            self._end.set()
        if self._renewer is not None and self._renewer is not threading.current_thread():
            self._renewer.join()
        self._held, self._end, self._renewer = False, None, None
        self._seat.release()

    def __bool__(self) -> bool:
        return self._held and not self._is_lost

    def __enter__(self) -> "Lock":
        return self.acquire()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self._held:
            self.release()

    async def __aenter__(self) -> "Lock":
        from ._asyncio import wait
        self._acquired(await wait(self._seat, self._options, -1 if self._timeout is None else self._timeout))
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.__exit__(kind, error, trace)


lock = Lock
