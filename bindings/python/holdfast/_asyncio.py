# SPDX-License-Identifier: Apache-2.0
"""FileLock for asyncio. A wait is in a thread of its own (or in `executor`), so the loop goes on."""

import asyncio
import contextlib
import threading
import time
from typing import Any, Callable, Optional

from . import _native as native
from ._filelock import BaseFileLock, Timeout, UnixFileLock


async def wait(seat: native.Seat, options: native.LockOptionsStruct, timeout: Optional[float], blocking: bool = True,
               cancel_check: Optional[Callable[[], bool]] = None, every: float = 1, executor: Any = None) -> Any:
    """What Seat.attempt answers, when it is ours or the time is over. A cancelled task holds nothing."""
    error = seat.attempt(options)
    if error is None or error.code != 75 or blocking is False or timeout == 0:
        return error
    options.wait_ms = native.milliseconds(timeout)
    loop, cancel = asyncio.get_running_loop(), native.Cancel()
    if executor is not None:
        future: Any = loop.run_in_executor(executor, seat.wait, options, cancel)
    else:
        future = loop.create_future()

        def tell(answer: Any) -> None:
            if not future.done():
                future.set_result(answer)

        def run() -> None:
            answer = seat.wait(options, cancel)
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(tell, answer)

        threading.Thread(target=run, daemon=True, name="holdfast-wait").start()
    try:
        while not (await asyncio.wait([future], timeout=every if cancel_check else None))[0]:
            if cancel_check is not None and cancel_check():
                cancel.set()
                cancel_check = None
    except BaseException:
        cancel.set()
        await asyncio.wait([future])
        if future.exception() is None and future.result() is None:
            seat.release()
        raise
    return future.result()


class BaseAsyncFileLock(BaseFileLock):
    _holder = "BaseAsyncFileLock instance in this task"
    _thread_local_default = False

    def __init__(self, *arguments: Any, loop: Optional[asyncio.AbstractEventLoop] = None, run_in_executor: bool = True,
                 executor: Any = None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._loop, self._run_in_executor, self.executor = loop, run_in_executor, executor
        self._turn: Optional[asyncio.Lock] = None
        self._turn_loop: Optional[asyncio.AbstractEventLoop] = None

    loop = property(lambda self: self._loop)
    run_in_executor = property(lambda self: self._run_in_executor)

    def _scope(self) -> Any:
        return asyncio.current_task()

    def _gate(self) -> asyncio.Lock:
        loop = asyncio.get_running_loop()
        if self._turn is None or self._turn_loop is not loop:
            self._turn, self._turn_loop = asyncio.Lock(), loop
        return self._turn

    async def acquire(self, timeout: Optional[float] = None, poll_interval: Optional[float] = None, *,  # type: ignore[override]
                      blocking: Optional[bool] = None,
                      cancel_check: Optional[Callable[[], bool]] = None) -> "AsyncAcquireReturnProxy":
        self._refuse_inherited()
        context = self._context
        timeout = context.timeout if timeout is None else timeout
        blocking = context.blocking if blocking is None else blocking
        poll_interval = context.poll_interval if poll_interval is None else poll_interval
        begun = time.monotonic()
        gate = self._gate()
        if gate.locked() and (blocking is False or timeout == 0):
            raise Timeout(self.lock_file)
        try:
            await asyncio.wait_for(gate.acquire(), timeout if timeout > 0 and timeout != float("inf") else None)
        except asyncio.TimeoutError:
            raise Timeout(self.lock_file) from None
        try:
            if not context.held:
                if timeout > 0:
                    timeout = max(0.0, timeout - (time.monotonic() - begun))
                seat = self._begin(context, timeout, blocking)
                self._taken(context, await wait(
                    seat, native.LockOptionsStruct(), timeout, blocking, cancel_check, poll_interval,
                    self.executor if self._run_in_executor else None))
            context.lock_counter += 1
        finally:
            gate.release()
        return AsyncAcquireReturnProxy(self)

    async def release(self, force: bool = False) -> None:  # type: ignore[override]
        BaseFileLock.release(self, force)

    async def _leave_async(self, error: Optional[BaseException]) -> None:
        BaseFileLock._leave(_Sync(self), error)  # type: ignore[arg-type]

    def __enter__(self) -> Any:
        raise NotImplementedError("Use `async with`: acquire and release are coroutines.")

    def __exit__(self, *_: Any) -> None:
        raise NotImplementedError("Use `async with`: acquire and release are coroutines.")

    async def __aenter__(self) -> Any:
        await self.acquire()
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await self._leave_async(error)


class _Sync:
    """An asynchronous lock whose release is the plain one."""

    def __init__(self, lock: BaseAsyncFileLock) -> None:
        self._lock, self._context_error_policy = lock, lock._context_error_policy

    def release(self) -> None:
        BaseFileLock.release(self._lock)


class AsyncUnixFileLock(UnixFileLock, BaseAsyncFileLock):
    """Exactly the file that is named is flocked."""


AsyncFileLock = AsyncUnixFileLock


class AsyncAcquireReturnProxy:
    def __init__(self, lock: BaseAsyncFileLock) -> None:
        self.lock = lock

    async def __aenter__(self) -> BaseAsyncFileLock:
        return self.lock

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await self.lock._leave_async(error)
