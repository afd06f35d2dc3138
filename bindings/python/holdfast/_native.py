# SPDX-License-Identifier: Apache-2.0
"""libholdfast by ctypes, which lets other threads run while a call waits. holdfast.h is the manual of every call."""

import atexit
import ctypes
import json
import os
import threading
import weakref
from ctypes import byref, c_char, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Dict, Optional, Type, Union

ABI = 1
NAMED, FILE, PATH = 0, 1, 2
SHARED, TRUST_KERNEL = 1, 2
FOREVER = -1
LONGEST_MS = 2**62

AnyPath = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


class Error(Exception):
    """What holdfast answered. `code` is the exit code of the program, `cause` a stable word."""

    code = 70

    def __init__(self, message: str = "", cause: str = "", os_code: int = 0, op: str = "", subject: str = "",
                 detail: str = "", document: Any = None) -> None:
        super().__init__(message)
        self.cause, self.os_code = cause, os_code
        self.op, self.subject, self.detail = op, subject, detail
        self.document = document  # what came with the failure, if anything

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.cause, self.os_code, self.op, self.subject, self.detail, self.document)


class Usage(Error, ValueError):
    code = 64


class Corrupt(Error):
    code = 65


class NotFound(Error, LookupError):
    code = 66


class CannotTell(Error):
    code = 69


class Internal(Error):
    code = 70


class OsRefused(Error):
    code = 71


class Survivors(Error):
    code = 72


class NotDurable(Error):
    code = 73


class InputOutput(Error):
    code = 74


class Busy(Error):
    code = 75


class Unproven(Error):
    code = 76


class Refused(Error):
    code = 77


class Config(Error):
    code = 78


class Deadline(Error):
    code = 124


ERRORS: Dict[int, Type[Error]] = {kind.code: kind for kind in (
    Usage, Corrupt, NotFound, CannotTell, Internal, OsRefused, Survivors, NotDurable, InputOutput, Busy, Unproven,
    Refused, Config, Deadline)}


class _Sized(ctypes.Structure):
    """A struct whose first field is its size; the rest is zero, which is the default of each."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(ctypes.sizeof(self), **fields)


class ErrorStruct(_Sized):
    _fields_ = [("size", c_uint32), ("code", c_int32), ("os_code", c_int32), ("reserved", c_uint32),
                ("cause", c_char * 64), ("op", c_char * 128), ("subject", c_char * 1024),
                ("detail", c_char * 2048), ("message", c_char * 3072)]


class LockOptionsStruct(_Sized):
    _fields_ = [("size", c_uint32), ("flags", c_uint32), ("wait_ms", c_int64), ("ttl_ms", c_int64),
                ("on_expired", c_int32), ("yields", c_int32), ("presume_dead_ms", c_int64), ("reason", c_char_p),
                ("cancel", c_void_p)]


class GrantStruct(_Sized):
    _fields_ = [("size", c_uint32), ("reentered", c_uint32), ("fence", c_uint64), ("ttl_ms", c_int64),
                ("left_ms", c_int64), ("waited_ms", c_int64), ("shared", c_uint32), ("reserved", c_uint32),
                ("token", c_char * 40), ("cause", c_char * 24), ("evidence", c_char * 64)]


class FileOptionsStruct(_Sized):
    _fields_ = [("size", c_uint32), ("flags", c_uint32), ("durability", c_int32), ("mode", c_int32),
                ("backups", c_uint32), ("reserved", c_uint32), ("wait_ms", c_int64), ("if_hash", c_char_p),
                ("check", c_char_p), ("fence", c_void_p)]


class LedgerOptionsStruct(_Sized):
    _fields_ = [("size", c_uint32), ("reserved", c_uint32), ("cap", c_uint64), ("cap_per", c_char_p),
                ("time_field", c_char_p), ("file", c_void_p)]


class QueryStruct(_Sized):
    _fields_ = [("size", c_uint32), ("newest_first", c_uint32), ("types", c_void_p), ("where", c_void_p),
                ("since_unix_ms", c_int64), ("until_unix_ms", c_int64), ("limit", c_uint64)]


class KillOptionsStruct(_Sized):
    _fields_ = [("size", c_uint32), ("flags", c_uint32), ("signal", c_int32), ("reserved", c_uint32),
                ("grace_ms", c_int64), ("wait_ms", c_int64)]


UPDATE = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_void_p)

_P, _S, _I = c_void_p, c_char_p, c_int
_CALLS: Dict[str, Any] = {
    "open": (_S, _P, _P, _P), "flush": (_P, _P), "close": (_P, _P), "free": (_P,),
    "cancel_new": (_P, _P), "cancel_raise": (_P,), "cancel_free": (_P,),
    "lock_open": (_P, _I, _S, _P, _P), "lock_close": (_P,), "lock_acquire": (_P, _P, _P), "lock_try": (_P, _P, _P),
    "lock_grant": (_P, _P, _P), "lock_check": (_P, _P), "lock_renew": (_P, _P), "lock_release": (_P, _P),
    "lock_fail_open": (_P, _S, _P), "lock_info": (_P, _I, _S, _P, _P), "lock_list": (_P, _P, _P),
    "replace": (_P, _S, _S, c_size_t, _P, _P, _P), "output_write": (_P, _S, c_size_t),
    "update": (_P, _S, UPDATE, _P, _P, _P, _P), "block_put": (_P, _S, _S, _S, c_size_t, _P, _P, _P),
    "block_get": (_P, _S, _S, _P, _P, _P), "block_remove": (_P, _S, _S, _P, _P, _P), "block_list": (_P, _S, _P, _P),
    "ledger_append": (_P, _S, _S, _P, _P, _P), "ledger_last": (_P, _S, _P, c_int64, _P, _P),
    "ledger_read": (_P, _S, _P, _P), "ledger_repair": (_P, _S, _P, _P), "identify": (c_int64, _P, _P),
    "alive": (_S, _P, _P), "kill": (_P, _S, _P, _P, _P), "journal_append": (_P, _S, _S, _I, _P, _P),
    "journal_query": (_P, _P, _P, _P),
}


def _load() -> ctypes.CDLL:
    named = os.environ.get("HOLDFAST_LIBRARY")
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libholdfast.so.1")
    path = named or (beside if os.path.exists(beside) else "libholdfast.so.1")
    try:
        library = ctypes.CDLL(path)
        library.holdfast_abi.restype = c_uint32
        abi = library.holdfast_abi()
        if abi != ABI:
            raise ImportError(f"{path} has ABI {abi}, and this package needs {ABI}; install the two of one version")
        library.holdfast_version.restype = c_char_p
        for name, arguments in _CALLS.items():
            call = getattr(library, "holdfast_" + name)
            call.argtypes = arguments
            call.restype = None if name in ("free", "cancel_raise", "cancel_free", "lock_close") else c_int
    except OSError as error:
        raise ImportError(f"holdfast cannot load its library {path}: {error}; set HOLDFAST_LIBRARY to its path") from None
    except AttributeError as error:
        raise ImportError(f"{path} is no libholdfast, or one that is too old for this package: {error}") from None
    return library


lib = _load()
version: str = lib.holdfast_version().decode()


def raise_error(code: int, error: ErrorStruct, document: Any = None) -> None:
    def text(field: bytes) -> str:
        return field.decode("utf-8", "replace")
    kind = ERRORS.get(code, Internal)
    raise kind(text(error.message), text(error.cause), error.os_code, text(error.op), text(error.subject),
               text(error.detail), document)


def check(call: Any, *arguments: Any) -> None:
    """Calls with an error struct of its own, and raises what it says."""
    error = ErrorStruct()
    code = call(*arguments, byref(error))
    if code:
        raise_error(code, error)


def take_text(pointer: c_void_p) -> Optional[str]:
    if not pointer.value:
        return None
    try:
        return ctypes.string_at(pointer.value).decode("utf-8", "surrogateescape")
    finally:
        lib.holdfast_free(pointer)


def document(call: Any, *arguments: Any) -> Any:
    """The JSON document of a call that takes `json` and `error` last."""
    pointer, error = c_void_p(), ErrorStruct()
    code = call(*arguments, byref(pointer), byref(error))
    text = take_text(pointer)
    found = json.loads(text) if text else None
    if code:
        raise_error(code, error, found)
    return found


def path_bytes(path: AnyPath) -> bytes:
    found = os.fsencode(path)
    if b"\0" in found:
        raise ValueError("embedded null byte")
    return found


def text_bytes(text: str) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"expected str, not {type(text).__name__}")
    if "\0" in text:
        raise ValueError("embedded null character")
    return text.encode()


def milliseconds(seconds: Optional[float]) -> int:
    """A time to wait: None, a negative one and infinity are for ever."""
    if seconds is None or seconds < 0 or seconds == float("inf"):
        return FOREVER
    return min(int(seconds * 1000 + 0.999), LONGEST_MS)


class Home:
    """An open state directory: the one that the program uses, or `path`."""

    def __init__(self, path: Optional[AnyPath] = None) -> None:
        self._as_parameter_ = c_void_p()
        check(lib.holdfast_open, None if path is None else path_bytes(path), None, byref(self._as_parameter_))

    def flush(self) -> None:
        check(lib.holdfast_flush, self)


_home: Optional[Home] = None
_home_key: Any = None
_home_mutex = threading.Lock()


def _fresh_mutex() -> None:
    global _home_mutex
    _home_mutex = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_fresh_mutex)


def default_home() -> Home:
    """Opened when it is first needed, and again if the environment names another one by then."""
    global _home, _home_key
    key = (os.environ.get("HOLDFAST_HOME"), os.environ.get("XDG_STATE_HOME"), os.environ.get("HOME"),
           os.environ.get("HOLDFAST_CHAIN"))
    if _home is None or key != _home_key:
        with _home_mutex:
            _home, _home_key = Home(), key
    return _home


class Cancel:
    """Ends waits, from any thread."""

    def __init__(self) -> None:
        self._as_parameter_ = c_void_p()
        check(lib.holdfast_cancel_new, byref(self._as_parameter_))

    def set(self) -> None:
        lib.holdfast_cancel_raise(self._as_parameter_)

    def __del__(self, free: Any = lib.holdfast_cancel_free) -> None:
        free(byref(self._as_parameter_))


class Seat:
    """One handle of a lock: a seat for one holder at a time, in whatever thread."""

    def __init__(self, kind: int, name: bytes) -> None:
        self._as_parameter_ = c_void_p()
        check(lib.holdfast_lock_open, default_home(), kind, name, byref(self._as_parameter_))
        _seats.add(self)

    def attempt(self, options: LockOptionsStruct, call: Any = lib.holdfast_lock_try) -> Optional[ErrorStruct]:
        """None: it is ours."""
        error = ErrorStruct()
        return error if call(self._as_parameter_, byref(options), byref(error)) else None

    def wait(self, options: LockOptionsStruct, cancel: Optional[Cancel] = None) -> Optional[ErrorStruct]:
        """`options.wait_ms` in the kernel. Give a cancel, and wait in another thread, where this one must stay awake."""
        options.cancel = cancel._as_parameter_.value if cancel else None
        return self.attempt(options, lib.holdfast_lock_acquire)

    def wait_awake(self, options: LockOptionsStruct, cancel_check: Any = None,
                   every: float = -1) -> Optional[ErrorStruct]:
        """The same, with Ctrl-C and other handlers of signals, and with `cancel_check` asked `every` so many seconds."""
        if cancel_check is None and threading.current_thread() is not threading.main_thread():
            return self.wait(options)
        cancel, done, answer = Cancel(), threading.Lock(), []
        done.acquire()

        def run() -> None:
            try:
                answer.append(self.wait(options, cancel))
            finally:
                done.release()

        helper = threading.Thread(target=run, daemon=True, name="holdfast-wait")
        helper.start()
        try:
            while not done.acquire(timeout=every if cancel_check else -1):
                if cancel_check():
                    cancel.set()
                    cancel_check = None
        except BaseException:
            cancel.set()
            helper.join()
            if answer == [None]:
                self.release()
            raise
        helper.join()
        return answer[0]

    def release(self) -> None:
        check(lib.holdfast_lock_release, self._as_parameter_)

    def close(self, close: Any = lib.holdfast_lock_close) -> None:
        close(byref(self._as_parameter_))

    __del__ = close


_seats: "weakref.WeakSet[Seat]" = weakref.WeakSet()


@atexit.register
def _at_exit() -> None:
    """What is held is released, and the journal says so. A killed process is found dead by whoever comes next."""
    for seat in list(_seats):
        lib.holdfast_lock_release(seat._as_parameter_, None)  # not closed: a thread may still wait in it
    if _home is not None:
        lib.holdfast_flush(_home, None)
