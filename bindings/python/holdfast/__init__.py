# SPDX-License-Identifier: Apache-2.0
"""holdfast for Python: locks as a drop-in for filelock, in this process, by libholdfast. docs/python.md has examples."""

from typing import TYPE_CHECKING, Any

from ._filelock import AcquireReturnProxy, BaseFileLock, FileLock, ReadWriteLock, Timeout, UnixFileLock
from ._native import (Busy, CannotTell, Config, Corrupt, Deadline, Error, InputOutput, Internal, NotDurable, NotFound,
                      OsRefused, Refused, Survivors, Unproven, Usage)
from ._native import version as __version__

if TYPE_CHECKING:
    from ._asyncio import AsyncAcquireReturnProxy, AsyncFileLock, AsyncUnixFileLock, BaseAsyncFileLock

_LATER = {name: "_asyncio" for name in (
    "AsyncAcquireReturnProxy", "AsyncFileLock", "AsyncUnixFileLock", "BaseAsyncFileLock")}

__all__ = [
    "AcquireReturnProxy", "AsyncAcquireReturnProxy", "AsyncFileLock", "AsyncUnixFileLock", "BaseAsyncFileLock",
    "BaseFileLock", "Busy", "CannotTell", "Config", "Corrupt", "Deadline", "Error", "FileLock", "InputOutput",
    "Internal", "NotDurable", "NotFound", "OsRefused", "ReadWriteLock", "Refused", "Survivors", "Timeout",
    "UnixFileLock", "Unproven", "Usage", "__version__",
]


def __getattr__(name: str) -> Any:
    """What takes long to import, asyncio above all, comes with its first use."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module
    value = globals()[name] = getattr(import_module("." + _LATER[name], __name__), name)
    return value
