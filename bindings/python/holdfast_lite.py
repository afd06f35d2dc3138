# SPDX-License-Identifier: Apache-2.0
"""holdfast_lite: the lock of a file, atomic replacement and a JSON history in one file, standard library only.

Copy this file into a plugin that may have no dependencies and no binary. It follows the rules of the native program,
so both exclude each other, and so do flock(1) and every program that flocks the same sidecar.

    import holdfast_lite as hf

    with hf.lock("CLAUDE.md", timeout=5):            # flock on .CLAUDE.md.lock
        ...

    hf.replace("state.json", b'{"n": 1}')             # the whole old or the whole new content, never a part
    hf.update("state.json", lambda old: bump(old))    # read, change and write under the lock; nothing is lost
    hf.append("history.json", {"answer": "no"}, cap=200)
    for entry in hf.entries("history.json"): ...

If the lock cannot be taken, the answer is an exception: Busy (somebody holds it), Unsafe (a link, another owner, a
directory that others can write), Corrupt (a damaged history), CannotTell (anything that leaves the answer open). `code`
is holdfast's exit code for it. To go on without a lock, name the reasons; the event is on disk before the body runs,
and the native program moves it into its journal:

    with hf.lock("CLAUDE.md", timeout=1, fail_open={"timeout"}) as held:
        if not held: ...                             # it runs WITHOUT the lock

Limits. The lock ends with the process that holds it (and with its copies of the descriptor: children started with
fork alone drop theirs). It has no lease, no fence and no record of the holder; the native program calls the holder
"another program". A wait polls, 20 times a second. Under `holdfast lock --file F` the lock is the caller's already, and
lock(F) fails with Busy. Network file systems are not told apart. Windows locks byte 0 of the sidecar, as
msvcrt.locking does elsewhere.

Needs Python 3.8. Runs on every POSIX system and on Windows. Tested on Linux against the native program; the Windows
part is not run by our tests.
"""
import base64
import contextlib
import datetime
import errno
import hashlib
import json
import os
import secrets
import stat
import sys
import threading
import time

__all__ = ["Busy", "CannotTell", "Corrupt", "HoldfastError", "Lock", "Unsafe", "append", "entries", "lock", "replace", "update"]

WINDOWS = os.name == "nt"
if WINDOWS:
    import ctypes
    import msvcrt
else:
    import fcntl
    import grp
    import pwd

MAX_BYTES = 64 << 20
REASONS = ("timeout", "unknown", "eacces", "erofs", "enospc", "eio", "emfile", "enolck", "unsupported-fs")


class HoldfastError(Exception):
    """code: the exit code of the native program; reason: what fail_open calls it ("" if it cannot be named)."""

    code = 69

    def __init__(self, text, reason=""):
        super().__init__(text)
        self.reason = reason


class Busy(HoldfastError):
    """Somebody held the lock for all of the time-out."""

    code = 75


class Unsafe(HoldfastError):
    """A link, another owner, hard links, a special file, or a directory that others can write to."""

    code = 77


class Corrupt(HoldfastError):
    """The history is damaged. It is never taken for an empty one and never written over."""

    code = 65


class CannotTell(HoldfastError):
    """Everything else: an I/O error, a full disk, a file that changed while it was replaced."""


_ERRNO_REASONS = {
    errno.EACCES: "eacces", errno.EPERM: "eacces", errno.EROFS: "erofs", errno.ENOSPC: "enospc", errno.EDQUOT: "enospc",
    errno.EIO: "eio", errno.EMFILE: "emfile", errno.ENFILE: "emfile", errno.ENOLCK: "enolck",
    errno.EOPNOTSUPP: "unsupported-fs", errno.ENOSYS: "unsupported-fs",
} if not WINDOWS else {errno.EACCES: "eacces", errno.ENOSPC: "enospc", errno.EIO: "eio", errno.EMFILE: "emfile"}


def _from_os(error, path):
    if error.errno == errno.ELOOP:
        return Unsafe(f"{path} is a link")
    return CannotTell(f"cannot use {path}: {error.strerror}", _ERRNO_REASONS.get(error.errno, ""))


# ---- the directory -------------------------------------------------------------------------------------------------


class _Dir:
    """The directory of a file, opened once: everything is done relative to it, so that nobody can move the work."""

    def __init__(self, path, trust_dir):
        path = os.path.abspath(os.fspath(path))
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        self.path, self.name = path, os.path.basename(path)
        self.parent = os.path.dirname(path)
        if not self.name or "\0" in path:
            raise Unsafe(f"{path!r} names no file")
        self.fd = None
        try:
            if WINDOWS:
                self._refuse_reparse_points()
            else:
                self.fd = self._walk()
                self._check(trust_dir)
        except OSError as error:
            self.close()
            raise _from_os(error, self.parent) from error
        except BaseException:
            self.close()
            raise

    def _walk(self):
        # One component at a time: a link anywhere above the file is refused, as the native program does.
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open("/", flags)
        for part in self.parent.split("/"):
            if not part:
                continue
            try:
                below = os.open(part, flags, dir_fd=fd)
            except OSError as error:
                if error.errno in (errno.ENOTDIR, errno.ELOOP):
                    raise Unsafe(f"cannot use {self.path}: {part!r} in its path is a link or no directory") from error
                raise
            finally:
                os.close(fd)
            fd = below
        return fd

    def _check(self, trust_dir):
        info = os.fstat(self.fd)
        if trust_dir:
            return
        if info.st_uid not in (0, os.geteuid()):
            raise Unsafe(f"{self.parent} belongs to another user (uid {info.st_uid}); trust_dir=True if you trust them")
        if info.st_mode & stat.S_IWOTH or (info.st_mode & stat.S_IWGRP and not _is_private_group(info.st_gid, self.fd)):
            raise Unsafe(f"others can add names to {self.parent}; use a directory of your own, or trust_dir=True")

    def _refuse_reparse_points(self):
        at = self.parent
        while True:
            if _is_reparse_point(at):
                raise Unsafe(f"{at} is a link")
            above = os.path.dirname(at)
            if above == at:
                return
            at = above

    def at(self, name):
        """The arguments of a call on `name` in this directory."""
        return (os.path.join(self.parent, name), {}) if self.fd is None else (name, {"dir_fd": self.fd})

    def open(self, name, flags, mode=0o600):
        where, how = self.at(name)
        if WINDOWS:
            flags |= os.O_BINARY | os.O_NOINHERIT
            if _is_reparse_point(where):
                raise Unsafe(f"{where} is a link")
        else:
            flags |= os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
        return os.open(where, flags, mode, **how)

    def stat(self, name):
        where, how = self.at(name)
        try:
            return os.stat(where, follow_symlinks=False, **how)
        except FileNotFoundError:
            return None

    def remove(self, name):
        where, how = self.at(name)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(where, **how)

    def rename(self, old, new):
        if self.fd is None:
            os.replace(self.at(old)[0], self.at(new)[0])
        else:
            os.rename(old, new, src_dir_fd=self.fd, dst_dir_fd=self.fd)

    def sync(self):
        if self.fd is not None:
            os.fsync(self.fd)

    def close(self):
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _is_private_group(gid, fd):
    """Is it, by evidence, the group of this user alone? (named alike, primary to nobody else, no members, no ACL)"""
    try:
        if "system.posix_acl_access" in getattr(os, "listxattr", lambda _: [])(fd):
            return False
    except OSError:
        return False
    try:
        owner, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(gid)
    except KeyError:
        return False
    names = {owner.pw_name, "root"}
    others = [user.pw_name for user in pwd.getpwall() if user.pw_gid == gid and user.pw_name not in names]
    return group.gr_name in names and not others and not set(group.gr_mem) - names


def _is_reparse_point(path):
    attributes = ctypes.windll.kernel32.GetFileAttributesW(path)
    return attributes != -1 and attributes & 0xFFFFFFFF != 0xFFFFFFFF and bool(attributes & 0x400)


# ---- the lock ------------------------------------------------------------------------------------------------------

_held = set()  # descriptors of held locks, for children made by fork
if hasattr(os, "register_at_fork"):

    def _forget_in_child():
        # Closing does not unlock: the lock belongs to the open file, which the parent still has.
        while _held:
            with contextlib.suppress(OSError):
                os.close(_held.pop())

    os.register_at_fork(after_in_child=_forget_in_child)


class Lock:
    """The lock of one file. Take it with `with lock(…)`; true while it is held. Not re-entrant."""

    def __init__(self, path, timeout=10.0, *, trust_dir=False, fail_open=()):
        allowed = {fail_open} if isinstance(fail_open, str) else set(fail_open)
        if allowed - set(REASONS):
            raise ValueError(f"fail_open knows {', '.join(REASONS)}")
        self.path, self.timeout, self.trust_dir = path, timeout, trust_dir
        self.fail_open = allowed
        self._fd, self._pid, self._mine = None, None, threading.Lock()

    def __bool__(self):
        return self._fd is not None and self._pid == os.getpid()

    def acquire(self):
        if not self._mine.acquire(blocking=False):
            raise RuntimeError("this Lock object is in use; make one for each holder")
        try:
            self._take()
            self._pid = os.getpid()
        except BaseException:
            self._mine.release()
            raise
        return self

    def release(self):
        """Gives the lock back. In a child made by fork it does nothing: the lock is the parent's."""
        fd, self._fd = self._fd, None
        if fd is not None and self._pid == os.getpid():
            _held.discard(fd)
            if WINDOWS:
                with contextlib.suppress(OSError):
                    os.lseek(fd, 0, os.SEEK_SET)
                    msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)
            os.close(fd)
        if self._mine.locked():
            self._mine.release()

    def __enter__(self):
        try:
            return self.acquire()
        except HoldfastError as error:
            if not error.reason or error.reason not in self.fail_open:
                raise
            _record_fail_open(self.path, error.reason)
            return self

    def __exit__(self, *_):
        self.release()

    def _take(self):
        deadline = None if self.timeout is None else time.monotonic() + self.timeout
        with _Dir(self.path, self.trust_dir) as where:
            side = f".{where.name}.lock"
            while True:
                try:
                    if self._try(where, side):
                        return
                except OSError as error:
                    raise _from_os(error, os.path.join(where.parent, side)) from error
                if deadline is not None and time.monotonic() >= deadline:
                    raise Busy(f"the lock of {where.path} was held by another process for {self.timeout} s", "timeout")
                time.sleep(0.05 if deadline is None else max(0.0, min(0.05, deadline - time.monotonic())))

    def _try(self, where, side):
        fd = _open_sidecar(where, side)
        try:
            if not _lock_now(fd):
                return False
            # Somebody may have replaced the file while we came: only the one that has the name counts.
            mine, named = os.fstat(fd), where.stat(side)
            if named is None or (mine.st_dev, mine.st_ino) != (named.st_dev, named.st_ino):
                return False
            self._fd, fd = fd, None
            _held.add(self._fd)
            return True
        finally:
            if fd is not None:
                os.close(fd)


def lock(path, timeout=10.0, *, trust_dir=False, fail_open=()):
    """The lock of the file `path`, for `with`. timeout: seconds, None waits without end."""
    return Lock(path, timeout, trust_dir=trust_dir, fail_open=fail_open)


def _open_sidecar(where, side):
    while True:
        try:
            fd = where.open(side, os.O_RDWR)
        except FileNotFoundError:
            try:
                fd = where.open(side, os.O_RDWR | os.O_CREAT | os.O_EXCL)
            except FileExistsError:
                continue
        break
    try:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode):
            raise Unsafe(f"{os.path.join(where.parent, side)} is no ordinary file")
        if not WINDOWS:
            if info.st_uid not in (0, os.geteuid()):
                raise Unsafe(f"{os.path.join(where.parent, side)} belongs to another user (uid {info.st_uid})")
            if info.st_uid == os.geteuid() and info.st_mode & 0o077:
                os.fchmod(fd, 0o600)  # whoever may open it may hold it
        return fd
    except BaseException:
        os.close(fd)
        raise


def _lock_now(fd):
    try:
        if WINDOWS:
            os.lseek(fd, 0, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK):
            return False
        raise
    return True


# ---- files ---------------------------------------------------------------------------------------------------------


def replace(path, content, *, mode=None, timeout=10.0, trust_dir=False):
    """Puts bytes or text in place of the file's content, under its lock. Mode, owner and attributes stay."""
    update(path, lambda _: content, mode=mode, timeout=timeout, trust_dir=trust_dir)


def update(path, change, *, mode=None, timeout=10.0, trust_dir=False):
    """change(old bytes, or None without a file) returns the new content, or None to leave it. Returns the new bytes."""
    with Lock(path, timeout, trust_dir=trust_dir), _Dir(path, trust_dir) as where:
        try:
            old, info = _read(where)
            new = change(old)
            if new is None:
                return old
            new = new.encode() if isinstance(new, str) else bytes(new)
            _write(where, new, info, mode)
            return new
        except OSError as error:
            raise _from_os(error, where.path) from error


def _read(where):
    """Content and state of the file; (None, None) without one. Everything that is not plainly ours is refused."""
    if where.stat(f".{where.name}.hf-undo") is not None:
        raise CannotTell(f"a write into {where.path} was cut short; the next change by the native program mends it")
    try:
        fd = where.open(where.name, os.O_RDONLY)
    except FileNotFoundError:
        return None, None
    with open(fd, "rb") as file:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode):
            raise Unsafe(f"{where.path} is no ordinary file")
        if info.st_nlink > 1:
            raise Unsafe(f"{where.path} has {info.st_nlink} names; replacing it would part them")
        if not WINDOWS and info.st_uid != os.geteuid():
            raise Unsafe(f"{where.path} belongs to another user (uid {info.st_uid})")
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise Unsafe(f"{where.path} is larger than {MAX_BYTES >> 20} MiB")
    return content, info


def _write(where, content, info, mode):
    stage = f".hf-stage-{secrets.token_hex(16)}"  # the name that `holdfast doctor --sweep` clears away after a crash
    fd = where.open(stage, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with open(fd, "wb") as file:
            if not WINDOWS:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)  # a sweep leaves a stage that is being filled
            file.write(content)
            file.flush()
            if not WINDOWS:
                _take_over(where, fd, info, mode)
            os.fsync(fd)
        now = where.stat(where.name)
        same = (now is None) == (info is None) and (
            now is None
            or (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns) == (info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns)
        )
        if not same:
            raise CannotTell(f"{where.path} was changed by a program that does not take its lock; nothing was written")
        where.rename(stage, where.name)
    except BaseException:
        where.remove(stage)
        raise
    where.sync()


def _take_over(where, fd, info, mode):
    if info is not None:
        if info.st_gid != os.fstat(fd).st_gid:
            os.fchown(fd, -1, info.st_gid)
        for name in getattr(os, "listxattr", lambda *_, **__: [])(_path_of(where)):
            os.setxattr(fd, name, os.getxattr(_path_of(where), name))
    if mode is None:
        mode = stat.S_IMODE(info.st_mode) if info is not None else 0o666 & ~_umask()
    os.fchmod(fd, mode)


def _path_of(where):
    return f"/proc/self/fd/{where.fd}/{where.name}" if sys.platform == "linux" else where.path


def _umask():
    # There is no way to ask without setting it; /proc knows on Linux.
    with contextlib.suppress(OSError), open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    return 0o077


# ---- a bounded JSON history ----------------------------------------------------------------------------------------


def append(path, entry, *, cap=None, time_field="time", timeout=10.0, trust_dir=False):
    """Adds one object, with its time, to a history (`holdfast ledger` reads it too) and returns it.

    A name that ends in .jsonl holds one object per line, any other a JSON array. cap: keep the newest so many.
    """
    if not isinstance(entry, dict) or time_field in entry:
        raise ValueError(f"the entry is an object without {time_field!r}; its time is set here")
    if cap is not None and cap < 1:
        raise ValueError("cap is at least 1")
    lines = os.fspath(path).endswith(".jsonl")
    added = {}

    def change(old):
        kept = [] if old is None else _parse(old, path)[0]
        is_lines = lines if old is None else _parse(old, path)[1]
        now = datetime.datetime.now(datetime.timezone.utc)
        added.update(entry, **{time_field: now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{now.microsecond // 1000:03}Z"})
        kept.append(json.dumps(added, ensure_ascii=False, allow_nan=False, separators=(",", ":")))
        if cap is not None:
            del kept[:-cap]
        text = "\n".join(kept) + "\n" if is_lines else "[\n  " + ",\n  ".join(kept) + "\n]\n"
        return text.encode("utf-8")

    update(path, change, mode=None if os.path.lexists(path) else 0o600, timeout=timeout, trust_dir=trust_dir)
    return added


def entries(path, *, trust_dir=False):
    """All entries, oldest first; an absent file has none. Takes no lock: a file is always whole."""
    with _Dir(path, trust_dir) as where:
        try:
            old, _ = _read(where)
        except OSError as error:
            raise _from_os(error, where.path) from error
    return [] if old is None else [json.loads(text) for text in _parse(old, path)[0]]


def _no_constant(word):
    raise ValueError(f"{word} is not JSON")


def _unique(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


_DECODER = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_unique)


def _parse(content, path):
    """The entries as they are spelled, and whether they stand in lines."""
    try:
        text = content.decode("utf-8")
        start = text.lstrip(" \t\r\n")
        if not start:
            if os.fspath(path).endswith(".jsonl") and not content:
                return [], True
            raise ValueError("it is empty")
        if start[0] == "[":
            return _array(text), False
        if not text.endswith("\n"):
            raise ValueError("its last line is cut off")
        found = [line for line in text.split("\n") if line.strip(" \t\r")]
        for line in found:
            if not isinstance(_DECODER.decode(line.strip(" \t\r")), dict):
                raise ValueError("a line is no object")
        return [line.strip(" \t\r") for line in found], True
    except (ValueError, RecursionError) as error:
        raise Corrupt(f"{path} is damaged: {error}; `holdfast ledger repair` keeps what can be read") from error


def _array(text):
    found, at, blanks = [], text.index("[") + 1, " \t\r\n"

    def skip(i):
        while i < len(text) and text[i] in blanks:
            i += 1
        return i

    at = skip(at)
    while text[at : at + 1] != "]":
        if found:
            if text[at : at + 1] != ",":
                raise ValueError(f"no comma at character {at}")
            at = skip(at + 1)
        value, end = _DECODER.raw_decode(text, at)
        if not isinstance(value, dict):
            raise ValueError("an entry is no object")
        found.append(text[at:end])
        at = skip(end)
    if text[at + 1 :].strip(blanks):
        raise ValueError("something follows the array")
    return found


# ---- on record -----------------------------------------------------------------------------------------------------
# The native program keeps a journal in its home. A spill is a file of records beside it, which its next writer appends.


def _home():
    for name, below in (("HOLDFAST_HOME", ""), ("XDG_STATE_HOME", "holdfast")):
        value = os.environ.get(name)
        if value and not os.path.isabs(value):
            raise CannotTell(f"${name} is not an absolute path")
        if value:
            return os.path.join(value, below) if below else value
        if name in os.environ and name == "HOLDFAST_HOME":
            raise CannotTell("$HOLDFAST_HOME is empty")
    if WINDOWS:
        base = os.environ.get("LOCALAPPDATA")
        below = "holdfast"
    else:
        base = os.environ.get("HOME")
        below = ".local/state/holdfast"
    if not base:
        raise CannotTell("there is no home for the journal: set HOLDFAST_HOME")
    return os.path.join(base, below)


def _open_home():
    home = _home()
    os.makedirs(os.path.join(home, "journal"), mode=0o700, exist_ok=True)
    marker = os.path.join(home, "format")
    if not os.path.lexists(marker):
        now = datetime.datetime.now(datetime.timezone.utc)
        text = {"v": 1, "kind": "holdfast-home", "created": now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{now.microsecond // 1000:03}Z"}
        replace(marker, json.dumps(text, separators=(",", ":")) + "\n", mode=0o600)
    return _Dir(os.path.join(home, "journal", "spill"), False)


def _boot_us():
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return (time.monotonic_ns() if clock is None else time.clock_gettime_ns(clock)) // 1000


def _boot_id():
    with contextlib.suppress(OSError), open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read(8)
    return "00000000"


_CRC32C = [0] * 256
for _byte in range(256):
    _crc = _byte
    for _ in range(8):
        _crc = (_crc >> 1) ^ (0x82F63B78 if _crc & 1 else 0)
    _CRC32C[_byte] = _crc


def _crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ _CRC32C[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def _record_fail_open(path, reason):
    """The event is on disk when this returns; otherwise it raises, and the body must not run."""
    data = {"name": "file:" + os.path.abspath(os.fspath(path)), "reason": reason, "by": "holdfast_lite"}
    boot_us = _boot_us()
    fields = [
        '{"v":1,"n":1', f'"t":{time.time_ns() // 1000}', f'"m":{boot_us}', f'"b":"{_boot_id()}"', f'"w":"{os.getpid()}-lite"',
        '"k":"decision"', '"e":"lock.fail_open"', '"d":' + json.dumps(data, ensure_ascii=True, separators=(",", ":")),
    ]
    body = ",".join(fields).encode("ascii")
    body += b',"c":"%08x"' % _crc32c(body)
    chain = hashlib.sha256(b"holdfast-journal" + bytes(16) + bytes(32) + body).digest()
    line = body + b',"h":"' + base64.urlsafe_b64encode(chain).rstrip(b"=") + b'"}\n'
    name = f"spill-{boot_us:016x}{secrets.token_hex(8)}.jsonl"
    try:
        with _open_home() as where:
            stage = f".hf-stage-{secrets.token_hex(16)}"
            fd = where.open(stage, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            try:
                with open(fd, "wb") as file:
                    file.write(line)
                    file.flush()
                    os.fsync(fd)
                where.rename(stage, name)
            except BaseException:
                where.remove(stage)
                raise
            where.sync()
            with contextlib.suppress(OSError):  # a running writer looks at this flag, every other one lists the spills
                state = where.open("state", os.O_RDWR)
                try:
                    os.lseek(state, 768, os.SEEK_SET)
                    os.write(state, b"1")
                finally:
                    os.close(state)
    except OSError as error:
        raise CannotTell(f"cannot record that {path} goes on without its lock ({reason}): {error}") from error
    print(f"holdfast_lite: {path} goes on WITHOUT its lock ({reason}), as fail_open allows; this is on record", file=sys.stderr)
