// SPDX-License-Identifier: Apache-2.0
//
// One entry of the file system, opened as itself and looked at; for src/os/*/*_win.cc only.
//
// Windows: a thing opened with FILE_FLAG_OPEN_REPARSE_POINT is the link, the junction or the mount
// point itself, and the handle says so. What was checked on the handle cannot be swapped any more.
//
// Wine 8 always opens what a link leads to. There a link to a directory shows by path only, and a
// link to a file not at all; but the handle knows the real path of what was opened, and that is not
// the path that was asked for (leads_elsewhere). So a link is found there too, by a second look.
// Limit, of Wine only: paths of more than kLongestJudged characters are not judged by that look,
// and a link is refused even where Windows would act on the link itself.
//
// A name that is not there is ERROR_FILE_NOT_FOUND. ERROR_PATH_NOT_FOUND says that the way to the
// directory is gone and stays an error.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/file/file.h"
#include "os/sys/native_win.h"

namespace holdfast::os {

inline constexpr std::size_t kLongestJudged = 240;

// kRefused `is-link`.
Error is_link_error(std::string_view path);

// One thing, opened as itself, never waiting for another process.
struct Opened {
  Handle handle;  // nothing where the open failed
  DWORD code = ERROR_SUCCESS;
  std::wstring wide;
};
// `path` is absolute (path_win.h). `more_flags`: such as FILE_FLAG_OVERLAPPED.
Result<Opened> open_itself(const std::string& path, DWORD rights, DWORD share,
                           DWORD more_flags = 0);

struct Looked {
  FileInfo info;
  bool hidden_link = false;  // a link by path, but the handle is of what it leads to
  DWORD attributes = 0;
};
Result<Looked> look_at_entry(const Opened& opened, const std::string& path);

// The error of a failed open, or what is in the way. The look by path serves the message only.
Error explain_open(const Opened& opened, const std::string& path);

// Is the open thing another than the one that has the last name in `path`? Always false on Windows,
// where the handle itself tells.
Result<bool> leads_elsewhere(const Handle& handle, const std::string& path);

// The first component of `path`, the last one included, that is a reparse point as seen by path;
// empty where none is. Components above `below`, a prefix of `path`, are not looked at. One that
// cannot be looked at is an error, unless it is not there.
Result<std::string> first_link_on(const std::string& path, std::string_view below = {});

// kRefused `is-link` where any of that shows a link: on the handle, behind it, or by path on a
// component beneath `below`. For a file that was just opened by path with kOpenLinkItself.
Result<> refuse_links(const Handle& handle, const std::string& path, std::string_view below = {});

// The name goes at once where Windows can do that (10 and later), else when the last handle does.
bool mark_for_removal(HANDLE handle);

enum class IfTaken : std::uint8_t { kFail, kReplace };
// Through a handle with DELETE. kReplace: with POSIX semantics where they are offered, so that a
// reader's open handle is no obstacle; else as Windows always did, which needs the old file closed.
bool give_name(HANDLE handle, const std::wstring& name, IfTaken if_taken);

bool is_taken(DWORD code);
// What goes by itself when a scanner, an indexer or another reader closes its handle.
bool is_passing(DWORD code);
// Does the system lack the call, or this way of it?
bool is_not_offered(DWORD code);

// Two seconds at most, in growing and jittered pauses, for what is_passing.
class Patience {
 public:
  Patience();
  bool wait();  // one pause; false: there is no patience left

 private:
  std::uint64_t ends_;
  std::uint32_t next_ms_ = 1;
};

// Tries until `attempt` says anything but passing trouble, or patience has come to its end.
// `attempt` returns a Win32 code; the last one is the answer.
template <typename Attempt>
DWORD with_patience(const Attempt& attempt) {
  Patience patience;
  for (;;) {
    const DWORD code = attempt();
    if (!is_passing(code) || !patience.wait()) return code;
  }
}

// Where a reparse point leads, as it is written in it.
//
// Wine 8 opens what a link leads to, so there is never one to read there: by reading only.
struct ReparseTarget {
  // With slashes. One that is not relative to the link's own directory begins with a drive or a
  // slash, so that nobody takes it for a name.
  std::string text{};
  bool volume = false;  // a volume is mounted there, rather than a directory linked
};

// What the system gave for a reparse point. kCannotTell `bad-reparse-point` for a link or a mount
// point that is cut short; nullopt: none that leads to a path.
Result<std::optional<ReparseTarget>> parse_reparse(std::span<const std::byte> bytes,
                                                   const std::string& path);

// `handle` is of the thing itself. nullopt: it is no reparse point, or none that leads to a path.
Result<std::optional<ReparseTarget>> read_reparse(const Handle& handle, const std::string& path);

}  // namespace holdfast::os
