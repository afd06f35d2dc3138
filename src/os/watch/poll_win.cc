// SPDX-License-Identifier: Apache-2.0
//
// Two kinds of things are waited for at once. Events, timers, processes, consoles and directory
// watches are objects that the kernel wakes a thread for; it takes 64 of them in one call, so more
// are waited for in turns. Pipes are not: whether one has something to read can only be asked
// (PeekNamedPipe). So while a pipe is among them, it is asked again and again, after 1 ms at first,
// then in growing steps up to kLongestStep. Where none is among them, nothing is asked and the
// thread sleeps until it is woken.
//
// Why not one of the ways that would wake: a read that waits, in a helper thread or overlapped,
// takes the bytes with it when they come, and the pipes here are shared with other processes and
// read by whoever waits next.
//
// A regular file and NUL are always readable. Whether a pipe would take a byte cannot be asked at
// all: it counts as writable. Those who must not wait for a reader use StreamWriter, whose handle
// is an event.
#include "os/watch/poll.h"

#include <algorithm>
#include <array>
#include <vector>

#include "os/machine/real_clock.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstStep{1};
constexpr milliseconds kLongestStep{10};
constexpr milliseconds kTurn{5};  // for each 64 where there are more

enum class PollKind : std::uint8_t { kObject, kPipe, kAlways };

PollKind poll_kind_of(HANDLE handle) {
  switch (sys().GetFileType(handle)) {
    case FILE_TYPE_PIPE:
      return PollKind::kPipe;
    case FILE_TYPE_CHAR: {
      DWORD mode = 0;
      return sys().GetConsoleMode(handle, &mode) != FALSE ? PollKind::kObject : PollKind::kAlways;
    }
    case FILE_TYPE_DISK: {
      // A watch of a directory is a handle of that directory, without the right to ask more of it.
      BY_HANDLE_FILE_INFORMATION info{};
      const bool known = sys().GetFileInformationByHandle(handle, &info) != FALSE;
      const bool file = known && (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
      return file ? PollKind::kAlways : PollKind::kObject;
    }
    default:
      return PollKind::kObject;
  }
}

// The end counts as something to read. One that nobody has opened at its other end yet is not at
// its end: it has not begun.
bool pipe_is_readable(HANDLE pipe) {
  DWORD available = 0;
  if (sys().PeekNamedPipe(pipe, nullptr, 0, nullptr, &available, nullptr) != FALSE) {
    return available > 0;
  }
  const DWORD code = last_error();
  return code != ERROR_BAD_PIPE && code != ERROR_PIPE_LISTENING && code != ERROR_PIPE_NOT_CONNECTED;
}

struct Waited {
  std::vector<HANDLE> objects;
  std::vector<HANDLE> pipes;
  bool ready = false;
};

void add_readable(Waited& waited, const Handle& handle) {
  const HANDLE native = handle_of(handle);
  switch (poll_kind_of(native)) {
    case PollKind::kObject:
      waited.objects.push_back(native);
      return;
    case PollKind::kPipe:
      waited.pipes.push_back(native);
      return;
    case PollKind::kAlways:
      waited.ready = true;
      return;
  }
}

void add_writable(Waited& waited, const Handle& handle) {
  const HANDLE native = handle_of(handle);
  if (sys().GetFileType(native) == FILE_TYPE_UNKNOWN) {
    waited.objects.push_back(native);
  } else {
    waited.ready = true;
  }
}

enum class Look : std::uint8_t { kReady, kNothing };

// Of at most 64 objects.
Result<Look> wait_for_slice(std::span<const HANDLE> slice, DWORD limit) {
  const DWORD got =
      sys().WaitForMultipleObjects(static_cast<DWORD>(slice.size()), slice.data(), FALSE, limit);
  if (got == WAIT_TIMEOUT) return Look::kNothing;
  if (got == WAIT_FAILED) return fail(last_os_error("wait for", "handles"));
  return Look::kReady;
}

Result<Look> wait_for_objects(std::span<const HANDLE> objects, DWORD limit) {
  if (objects.empty()) {
    if (limit == 0) return Look::kNothing;
    sys().Sleep(limit);
    return Look::kNothing;
  }
  if (objects.size() <= MAXIMUM_WAIT_OBJECTS) return wait_for_slice(objects, limit);
  const DWORD turn = std::min(limit, static_cast<DWORD>(kTurn.count()));
  for (std::size_t at = 0; at < objects.size(); at += MAXIMUM_WAIT_OBJECTS) {
    const std::size_t count = std::min<std::size_t>(MAXIMUM_WAIT_OBJECTS, objects.size() - at);
    if (HF_TRY(wait_for_slice(objects.subspan(at, count), turn)) == Look::kReady) {
      return Look::kReady;
    }
  }
  return Look::kNothing;
}

DWORD to_dword(milliseconds span) {
  constexpr std::int64_t kMost = 60'000'000;
  return static_cast<DWORD>(std::clamp<std::int64_t>(span.count(), 0, kMost));
}

Result<bool> wait_for(const Waited& waited, std::optional<milliseconds> limit) {
  const RealClock clock;
  const MonoTime begun = clock.mono();
  milliseconds step = kFirstStep;
  bool last = false;
  for (;;) {
    if (std::ranges::any_of(waited.pipes, pipe_is_readable)) return true;
    DWORD pause = INFINITE;
    if (limit) {
      const auto passed = std::chrono::floor<milliseconds>(clock.mono() - begun);
      last = passed >= *limit;
      pause = to_dword(*limit - passed);
    }
    if (!waited.pipes.empty()) {
      pause = std::min(pause, static_cast<DWORD>(step.count()));
      step = std::min(step * 2, kLongestStep);
    }
    if (HF_TRY(wait_for_objects(waited.objects, pause)) == Look::kReady) return true;
    if (last) return false;
  }
}

}  // namespace

Result<bool> wait_ready(std::span<const Handle* const> readable,
                        std::span<const Handle* const> writable,
                        std::optional<milliseconds> limit) {
  Waited waited;
  const auto is_there = [](const Handle* handle) { return handle != nullptr && handle->valid(); };
  for (const Handle* handle : readable) {
    if (is_there(handle)) add_readable(waited, *handle);
  }
  for (const Handle* handle : writable) {
    if (is_there(handle)) add_writable(waited, *handle);
  }
  if (waited.ready) return true;
  return wait_for(waited, limit);
}

Result<bool> wait_readable(std::span<const Handle* const> handles,
                           std::optional<milliseconds> limit) {
  return wait_ready(handles, {}, limit);
}

Result<bool> is_readable(const Handle& handle) {
  return wait_readable({&handle}, milliseconds::zero());
}

Result<bool> is_writable(const Handle& handle) {
  const std::array<const Handle*, 1> one{&handle};
  return wait_ready({}, one, milliseconds::zero());
}

// Limit: as long as there is something to read, Windows does not say that nobody can add to it.
Result<bool> is_hung_up(const Handle& read_end) {
  if (sys().PeekNamedPipe(handle_of(read_end), nullptr, 0, nullptr, nullptr, nullptr) != FALSE) {
    return false;
  }
  const DWORD code = last_error();
  if (code == ERROR_BROKEN_PIPE) return true;
  return fail(win_error("look at", "a pipe", code));
}

}  // namespace holdfast::os
