# SPDX-License-Identifier: Apache-2.0
"""The names of filelock: the same file is flocked, so the two exclude each other, and so do flock(1) and holdfast."""

import contextlib
import errno
import math
import os
import sys
import threading
import time
import warnings
import weakref
from typing import Any, Callable, Dict, Iterator, Optional, Tuple, Union

from . import _native as native

UNSET_MODE = -1


class Timeout(TimeoutError):
    """The lock could not be acquired in time."""

    def __init__(self, lock_file: str) -> None:
        super().__init__()
        self._lock_file = lock_file

    def __reduce__(self) -> Any:
        return type(self), (self._lock_file,)

    def __str__(self) -> str:
        return f"The file lock '{self._lock_file}' could not be acquired."

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.lock_file!r})"

    @property
    def lock_file(self) -> str:
        return self._lock_file


def raise_os_error(error: native.ErrorStruct, path: str) -> None:
    """As filelock does: an OSError where the system was at fault, by its number; else holdfast's own."""
    if error.os_code:
        raise OSError(error.os_code, os.strerror(error.os_code), path)
    native.raise_error(error.code, error)


def prepare(path: str) -> None:
    """What filelock makes and refuses before it locks."""
    if os.path.islink(path):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not path:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)


def lock_at(seat: Optional[native.Seat], seat_path: bytes, path: str) -> Tuple[native.Seat, bytes]:
    """The seat at `path`, seen from the directory of now; `seat` is the one that was used last, at `seat_path`."""
    name = native.path_bytes(path)
    if not os.path.isabs(name):
        name = os.path.join(os.getcwdb(), name)
    if seat is None or name != seat_path:
        prepare(path)
        seat = native.Seat(native.PATH, name)
    return seat, name


def take(seat: native.Seat, options: native.LockOptionsStruct, *, blocking: bool, timeout: float,
         cancel_check: Optional[Callable[[], bool]], poll_interval: float) -> Optional[native.ErrorStruct]:
    error = seat.attempt(options)
    if error is None or error.code != 75 or blocking is False or timeout == 0:
        return error
    if cancel_check is not None and cancel_check():
        return error
    options.wait_ms = native.milliseconds(timeout)
    return seat.wait_awake(options, cancel_check, max(poll_interval, 0.001))


class _Context:
    """The configuration and the hold; one for each thread where the lock is thread-local."""

    def __init__(self, lock_file: str, timeout: float, mode: int, blocking: bool, poll_interval: float) -> None:
        self.lock_file, self.timeout, self.mode = lock_file, timeout, mode
        self.blocking, self.poll_interval = blocking, poll_interval
        self.lock_counter = 0
        self.held = False
        self.path_key = ""
        self.held_key: Any = None
        self.registry: Dict[Any, int] = {}  # of the thread that acquired it
        self.fd: Optional[int] = None  # lent to on_acquired
        self.seat: Optional[native.Seat] = None
        self.seat_path = b""
        self.gate = threading.Lock()  # one at a time acquires


class _ThreadContext(_Context, threading.local):
    pass


class _Held(threading.local):
    """Which lock object of this thread holds which path."""

    def __init__(self) -> None:
        self.by_path: Dict[Any, int] = {}


_held = _Held()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _held.by_path.clear())


def canonical(path: native.AnyPath) -> str:
    directory, name = os.path.split(os.fsdecode(path))
    return os.path.join(os.path.realpath(directory or os.curdir), name)


def check_policy(name: str, value: str, allowed: Tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")


class _Meta(type):
    """Makes one object for each path where is_singleton is asked for."""

    _instances: "weakref.WeakValueDictionary[Any, Any]" = weakref.WeakValueDictionary()
    _making = threading.Lock()

    _singleton_default = False

    def __call__(cls, lock_file: Any, *arguments: Any, is_singleton: Optional[bool] = None, **options: Any) -> Any:
        if not (cls._singleton_default if is_singleton is None else is_singleton):
            return super().__call__(lock_file, *arguments, **options)
        with _Meta._making:
            key = (os.getpid(), cls, canonical(lock_file))
            wanted = super().__call__(lock_file, *arguments, **options)
            wanted._is_singleton = True
            found = _Meta._instances.setdefault(key, wanted)
        different = [f"\n\t{name} (existing lock has {there!r} but {asked!r} was passed)"
                     for name, there, asked in zip(found._settings_names(), found._settings(), wanted._settings())
                     if there is not asked and there != asked]
        if different:
            raise ValueError("Singleton lock instances cannot be initialized with differing arguments"
                             "\nNon-matching arguments: " + "".join(different))
        return found


def _fresh_singletons() -> None:
    _Meta._making = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_fresh_singletons)


class BaseFileLock(contextlib.ContextDecorator, metaclass=_Meta):
    _holder = "FileLock instance in this thread"
    _thread_local_default = True

    def __init__(self, lock_file: "Union[str, os.PathLike[str]]", timeout: float = -1, mode: int = UNSET_MODE,
                 thread_local: Optional[bool] = None, *, blocking: bool = True, is_singleton: bool = False,
                 poll_interval: float = 0.05, poll_intervall: Optional[float] = None,
                 lifetime: Optional[float] = None, context_error_policy: str = "chain",
                 close_error_policy: str = "default", fallback_to_soft: bool = True, preserve_lock_file: bool = False,
                 on_acquired: Optional[Callable[[int], None]] = None) -> None:
        check_policy("context_error_policy", context_error_policy, ("chain", "group"))
        check_policy("close_error_policy", close_error_policy, ("default", "raise", "suppress"))
        if context_error_policy == "group" and sys.version_info < (3, 11):
            raise ValueError("context_error_policy='group' needs Python 3.11")
        if poll_intervall is not None:
            poll_interval = _old_spelling(poll_intervall)
        self._creator_pid = os.getpid()
        self._is_singleton = is_singleton
        self._is_thread_local = self._thread_local_default if thread_local is None else thread_local
        self._context_error_policy, self._close_error_policy = context_error_policy, close_error_policy
        self._fallback_to_soft, self._preserve_lock_file = fallback_to_soft, preserve_lock_file
        self._on_acquired = on_acquired
        self._context: _Context = (_ThreadContext if self._is_thread_local else _Context)(
            os.fspath(lock_file), timeout, mode, blocking, poll_interval)
        self.lifetime = lifetime

    @staticmethod
    def _settings_names() -> Tuple[str, ...]:
        return ("thread_local", "timeout", "mode", "blocking", "poll_interval", "lifetime", "context_error_policy",
                "close_error_policy", "fallback_to_soft", "preserve_lock_file", "on_acquired")

    def _settings(self) -> Tuple[Any, ...]:
        context = self._context
        return (self._is_thread_local, context.timeout, context.mode, context.blocking, context.poll_interval,
                self._lifetime, self._context_error_policy, self._close_error_policy, self._fallback_to_soft,
                self._preserve_lock_file, self._on_acquired)

    def is_thread_local(self) -> bool:
        return self._is_thread_local

    is_singleton = property(lambda self: self._is_singleton)
    context_error_policy = property(lambda self: self._context_error_policy)
    close_error_policy = property(lambda self: self._close_error_policy)
    fallback_to_soft = property(lambda self: self._fallback_to_soft)
    preserve_lock_file = property(lambda self: self._preserve_lock_file)
    on_acquired = property(lambda self: self._on_acquired)
    lock_file = property(lambda self: self._context.lock_file)
    has_explicit_mode = property(lambda self: self._context.mode != UNSET_MODE)

    @property
    def timeout(self) -> float:
        return self._context.timeout

    @timeout.setter
    def timeout(self, value: Union[float, str]) -> None:
        self._context.timeout = float(value)

    @property
    def blocking(self) -> bool:
        return self._context.blocking

    @blocking.setter
    def blocking(self, value: bool) -> None:
        self._context.blocking = value

    @property
    def poll_interval(self) -> float:
        return self._context.poll_interval

    @poll_interval.setter
    def poll_interval(self, value: float) -> None:
        self._context.poll_interval = value

    @property
    def lifetime(self) -> Optional[float]:
        return self._lifetime

    @lifetime.setter
    def lifetime(self, value: Optional[float]) -> None:
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise TypeError(f"lifetime must be a finite non-negative number or None, not {type(value).__name__}")
            if value < 0 or not math.isfinite(value):
                raise ValueError(f"lifetime must be finite and non-negative, not {value!r}")
            warnings.warn(f"lifetime is ignored for {type(self).__name__}: a lock of the kernel does not end by the "
                          "age of its file; use holdfast.lock(name, ttl=...)", stacklevel=4)
        self._lifetime: Optional[float] = None

    @property
    def mode(self) -> int:
        return 0o644 if self._context.mode == UNSET_MODE else self._context.mode

    @property
    def is_locked(self) -> bool:
        return self._context.held and self._creator_pid == os.getpid()

    @property
    def lock_counter(self) -> int:
        return self._context.lock_counter if self._creator_pid == os.getpid() else 0

    # Who would wait for itself: this thread; a task for asynchronous locks.
    def _scope(self) -> Any:
        return None

    def _refuse_inherited(self) -> None:
        if self._creator_pid != os.getpid():
            raise RuntimeError(f"{type(self).__name__} on {self.lock_file} was inherited across fork; "
                               "construct a new instance")

    def _begin(self, context: _Context, timeout: float, blocking: bool) -> native.Seat:
        """The seat to wait in, if this is not the one who would have to give it free."""
        seat = self._open_seat(context)
        key = context.held_key = (self._scope(), context.path_key)
        if timeout < 0 and blocking and _held.by_path.get(key, id(self)) != id(self):
            raise RuntimeError(f"Deadlock: lock '{self.lock_file}' is already held by a different {self._holder}. "
                               "Use is_singleton=True to enable reentrant locking across instances.")
        return seat

    def acquire(self, timeout: Optional[float] = None, poll_interval: Optional[float] = None, *,
                poll_intervall: Optional[float] = None, blocking: Optional[bool] = None,
                cancel_check: Optional[Callable[[], bool]] = None) -> Any:
        self._refuse_inherited()
        context = self._context
        timeout = context.timeout if timeout is None else timeout
        blocking = context.blocking if blocking is None else blocking
        if poll_intervall is not None:
            poll_interval = _old_spelling(poll_intervall)
        poll_interval = context.poll_interval if poll_interval is None else poll_interval
        begun = time.monotonic()
        # Another thread waits with this very object, which both share.
        if not context.gate.acquire(blocking is not False and timeout != 0, _gate_time(blocking, timeout)):
            raise Timeout(self.lock_file)
        try:
            if not context.held:
                if timeout > 0:
                    timeout = max(0.0, timeout - (time.monotonic() - begun))
                seat = self._begin(context, timeout, blocking)
                self._taken(context, take(seat, native.LockOptionsStruct(), blocking=blocking, timeout=timeout,
                                          cancel_check=cancel_check, poll_interval=poll_interval))
            context.lock_counter += 1
        finally:
            context.gate.release()
        return AcquireReturnProxy(self)

    def _open_seat(self, context: _Context) -> native.Seat:
        path = context.lock_file
        if context.mode != UNSET_MODE and not os.path.lexists(path):
            prepare(path)
            with contextlib.suppress(FileExistsError):
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, context.mode))
        before = context.seat
        context.seat, context.seat_path = lock_at(before, context.seat_path, path)
        if context.seat is not before:
            context.path_key = canonical(context.seat_path)
        return context.seat

    def _taken(self, context: _Context, error: Optional[native.ErrorStruct]) -> None:
        """After an attempt: held, with all that belongs to it, or not held and an exception."""
        if error is not None:
            context.seat = None  # its directory may be another by now
            if error.code == 75:
                raise Timeout(context.lock_file)
            raise_os_error(error, context.lock_file)
        context.held = True
        context.registry = _held.by_path
        context.registry[context.held_key] = id(self)
        try:
            if context.mode != UNSET_MODE:
                with contextlib.suppress(PermissionError):
                    os.chmod(context.seat_path, context.mode)
            if self._on_acquired is not None:
                context.fd = os.open(context.seat_path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
                os.ftruncate(context.fd, 0)
                self._on_acquired(context.fd)
        except BaseException:
            self._give_back(context)
            raise

    def release(self, force: bool = False) -> None:
        context = self._context
        if not self.is_locked:
            return
        if context.lock_counter > 1 and not force:
            context.lock_counter -= 1
            return
        self._give_back(context)

    def _give_back(self, context: _Context) -> None:
        assert context.seat is not None
        context.held = False
        context.lock_counter = 0
        context.registry.pop(context.held_key, None)
        fd, context.fd = context.fd, None
        try:
            if fd is not None:
                os.close(fd)
        except OSError:
            if self._close_error_policy == "raise":
                raise
        finally:
            context.seat.release()

    def _leave(self, body_error: Optional[BaseException]) -> None:
        try:
            self.release()
        except BaseException as error:
            if body_error is None or self._context_error_policy == "chain":
                raise
            group: Any = BaseExceptionGroup  # type: ignore[name-defined,unused-ignore]  # noqa: F821, Python 3.11
            raise group("the body and the release failed", [body_error, error]) from None

    def __enter__(self) -> Any:
        self.acquire()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._leave(error)

    def __del__(self) -> None:
        if vars(self).get("_context") is not None and self._creator_pid == os.getpid():
            with contextlib.suppress(Exception):
                BaseFileLock.release(self, force=True)


class UnixFileLock(BaseFileLock):
    """Exactly the file that is named is flocked; it stays where it is."""


FileLock = UnixFileLock


def _old_spelling(value: float) -> float:
    warnings.warn("use poll_interval instead of poll_intervall", DeprecationWarning, stacklevel=3)
    return value


def _gate_time(blocking: bool, timeout: float) -> float:
    if blocking is False or timeout <= 0 or timeout > threading.TIMEOUT_MAX:
        return -1
    return timeout


class AcquireReturnProxy:
    """Releases at the end of a `with`, without a second acquire at its begin."""

    def __init__(self, lock: Any) -> None:
        self.lock = lock

    def __enter__(self) -> Any:
        return self.lock

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(self.lock, BaseFileLock):
            self.lock._leave(error)
        else:
            self.lock.release()


class ReadWriteLock(metaclass=_Meta):
    """Up to 64 readers or one writer of a file; one object for each path unless is_singleton is False."""

    _singleton_default = True

    def __init__(self, lock_file: "Union[str, os.PathLike[str]]", timeout: float = -1, *, blocking: bool = True,
                 is_singleton: bool = True) -> None:
        self.lock_file = os.fspath(lock_file)
        self.timeout, self.blocking = timeout, blocking
        self._creator_pid = os.getpid()
        self._gate = threading.Lock()
        self._seat: Optional[native.Seat] = None
        self._seat_path = b""
        self._mode, self._level, self._writer = "", 0, 0
        self._closed = self._is_singleton = False

    def _settings(self) -> Tuple[Any, ...]:
        return self.timeout, self.blocking

    @staticmethod
    def _settings_names() -> Tuple[str, ...]:
        return "timeout", "blocking"

    @classmethod
    def get_lock(cls, lock_file: "Union[str, os.PathLike[str]]", timeout: float = -1, *,
                 blocking: bool = True) -> "ReadWriteLock":
        return cls(lock_file, timeout, blocking=blocking, is_singleton=True)

    def acquire_read(self, timeout: float = -1, *, blocking: bool = True) -> AcquireReturnProxy:
        return self._acquire("read", timeout, blocking)

    def acquire_write(self, timeout: float = -1, *, blocking: bool = True) -> AcquireReturnProxy:
        return self._acquire("write", timeout, blocking)

    def _acquire(self, mode: str, timeout: float, blocking: bool) -> AcquireReturnProxy:
        if self._creator_pid != os.getpid():
            raise RuntimeError(f"ReadWriteLock on {self.lock_file} was invalidated by fork(); construct a new instance")
        if self._closed:
            raise RuntimeError(f"ReadWriteLock on {self.lock_file} is closed")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout must be a non-negative number or -1")
        if self._level and self._reenter(mode):
            return AcquireReturnProxy(self)
        if not self._gate.acquire(blocking and timeout != 0, _gate_time(blocking, timeout)):
            raise Timeout(self.lock_file)
        try:
            if self._level and self._reenter(mode):
                return AcquireReturnProxy(self)
            self._seat, self._seat_path = lock_at(self._seat, self._seat_path, self.lock_file)
            options = native.LockOptionsStruct(flags=native.SHARED if mode == "read" else 0)
            error = take(self._seat, options, blocking=blocking, timeout=timeout, cancel_check=None, poll_interval=1)
            if error is not None:
                if error.code == 75:
                    raise Timeout(self.lock_file)
                raise_os_error(error, self.lock_file)
            self._mode, self._level, self._writer = mode, 1, threading.get_ident()
        finally:
            self._gate.release()
        return AcquireReturnProxy(self)

    def _reenter(self, mode: str) -> bool:
        if self._mode != mode:
            held, way = ("write", "downgrade") if mode == "read" else ("read", "upgrade")
            raise RuntimeError(f"Cannot acquire {mode} lock on {self.lock_file} (lock id: {id(self)}): "
                               f"already holding a {held} lock ({way} not allowed)")
        if mode == "write" and threading.get_ident() != self._writer:
            raise RuntimeError(f"Cannot acquire write lock on {self.lock_file} (lock id: {id(self)}) from thread "
                               f"{threading.get_ident()} while it is held by thread {self._writer}")
        self._level += 1
        return True

    @contextlib.contextmanager
    def read_lock(self, timeout: Optional[float] = None, *, blocking: Optional[bool] = None) -> Iterator[None]:
        with self.acquire_read(self.timeout if timeout is None else timeout,
                               blocking=self.blocking if blocking is None else blocking):
            yield

    @contextlib.contextmanager
    def write_lock(self, timeout: Optional[float] = None, *, blocking: Optional[bool] = None) -> Iterator[None]:
        with self.acquire_write(self.timeout if timeout is None else timeout,
                                blocking=self.blocking if blocking is None else blocking):
            yield

    def release(self, *, force: bool = False) -> None:
        if self._creator_pid != os.getpid():
            return
        if self._level == 0 and not force:
            raise RuntimeError(f"Cannot release a lock on {self.lock_file} (lock id: {id(self)}) that is not held")
        if self._level > 1 and not force:
            self._level -= 1
        elif self._level:
            assert self._seat is not None
            self._level, self._mode = 0, ""
            self._seat.release()

    def close(self) -> None:
        self.release(force=True)
        self._closed = True
