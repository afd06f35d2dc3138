# SPDX-License-Identifier: Apache-2.0
"""holdfast in this process, by libholdfast; its FileLock is a drop-in for filelock's. docs/python.md has examples."""

from typing import TYPE_CHECKING, Any

from ._filelock import AcquireReturnProxy, BaseFileLock, FileLock, ReadWriteLock, Timeout, UnixFileLock
from ._native import (Busy, CannotTell, Config, Corrupt, Deadline, Error, InputOutput, Internal, NotDurable, NotFound,
                      OsRefused, Refused, Survivors, Unproven, Usage)
from ._native import version as __version__

if TYPE_CHECKING:
    from ._asyncio import AsyncAcquireReturnProxy, AsyncFileLock, AsyncUnixFileLock, BaseAsyncFileLock
    from ._files import Block, Identity, Journal, Ledger, atomic_write, replace, update
    from ._lock import Lock, lock

_LATER = {name: "_asyncio" for name in (
    "AsyncAcquireReturnProxy", "AsyncFileLock", "AsyncUnixFileLock", "BaseAsyncFileLock")}
_LATER.update(dict.fromkeys(("Block", "Identity", "Journal", "Ledger", "atomic_write", "replace", "update"), "_files"),
              Lock="_lock", lock="_lock")

__all__ = [
    "AcquireReturnProxy", "AsyncAcquireReturnProxy", "AsyncFileLock", "AsyncUnixFileLock", "BaseAsyncFileLock",
    "BaseFileLock", "Block", "Busy", "CannotTell", "Config", "Corrupt", "Deadline", "Error", "FileLock",
    "Identity", "InputOutput", "Internal", "Journal", "Ledger", "Lock", "NotDurable", "NotFound", "OsRefused",
    "ReadWriteLock", "Refused", "Survivors", "Timeout", "UnixFileLock", "Unproven", "Usage", "__version__",
    "atomic_write", "lock", "replace", "update",
]


def __getattr__(name: str) -> Any:
    """What takes long to import, asyncio above all, comes with its first use."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module
    value = globals()[name] = getattr(import_module("." + _LATER[name], __name__), name)
    return value
