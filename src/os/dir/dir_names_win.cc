// SPDX-License-Identifier: Apache-2.0
#include "os/dir/dir_names.h"

#include <algorithm>
#include <optional>

#include "os/dir/dir.h"
#include "os/file/entry_win.h"
#include "os/lock/byte_lock_win.h"
#include "os/lock/lock_wait.h"
#include "os/machine/real_clock.h"
#include "os/path/path_win.h"
#include "os/path/wide_win.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr DWORD kUnprivileged = 2;  // SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE

bool leads_to_directory(const Dir& dir, const std::string& target) {
  const bool absolute = target.starts_with('/') || target.find(':') != std::string::npos;
  const auto full = absolute_path(absolute ? target : dir.path() + "/" + target);
  const auto wide = full ? extended_path(*full) : fail(full.error());
  if (!wide) return false;
  const DWORD attributes = sys().GetFileAttributesW(wide->c_str());
  return attributes != kNoAttributes && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

constexpr int kMostNewcomers = 8;

Result<File> open_holds(const Dir& beside, const SafeName& kind) {
  for (int i = 0; i < kMostNewcomers; ++i) {
    auto file = HF_TRY(beside.open_file(kind, Access::kReadWrite));
    if (file) {
      HF_TRY(keep_name(file->native(), file->path()));  // else two could hold, in two files
      return *std::move(file);
    }
    HF_TRY(beside.create_file(kind, kPrivateFile));  // by us or by another, all the same
  }
  return fail({.code = ErrorCode::kBusy,
               .op = "open the lock",
               .subject = beside.path_of(kind),
               .cause = "file-removed",
               .detail = "somebody removes it while it is being made"});
}

Result<bool> try_byte(const File& file, std::uint64_t offset) {
  constexpr DWORD kHow = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
  OVERLAPPED at{};
  at.Offset = static_cast<DWORD>(offset & 0xFFFFFFFFU);
  at.OffsetHigh = static_cast<DWORD>(offset >> 32U);
  if (sys().LockFileEx(reinterpret_cast<HANDLE>(file.native()), kHow, 0, 1, 0, &at) != FALSE) {
    return true;
  }
  if (last_error() == ERROR_LOCK_VIOLATION) return false;
  return fail(last_os_error("lock", file.path()));
}

// The directory of this number, and no other.
Result<Dir> reopen(const Dir& parent, const SafeName& name, const FileId& id) {
  Dir dir = HF_TRY(parent.open_dir(name));
  if (HF_TRY(dir.info()).id == id) return dir;
  return fail({.code = ErrorCode::kRefused,
               .op = "move",
               .subject = parent.path_of(name),
               .cause = "replaced",
               .detail = "another was put in its place in this moment"});
}

}  // namespace

// The thing is opened as itself and renamed through that handle, so what moves is what was looked
// at; the kernel refuses a name that is taken and another volume in the same step. (Under Wine 8
// the server looks first and renames then; there the single step is true by reading only. A link
// that only its path shows is refused there: the handle is not of the link.)
//
// The handle writes through: when it returns, the new name is on the disk (dir_win.cc).
//
// A scanner or an indexer that has it open for a moment is waited for (entry_win.h). Anybody else
// who has a directory open, or anything in it, keeps it in its place: kBusy.
Result<Placed> move_new(const Dir& from, const SafeName& name, const Dir& to,
                        const SafeName& new_name) {
  constexpr DWORD kMoveRights = DELETE | FILE_READ_ATTRIBUTES | SYNCHRONIZE;
  const std::string path = from.path_of(name);
  const std::wstring target = HF_TRY(extended_path(to.path_of(new_name)));
  std::optional<Error> fault;
  const DWORD code = with_patience([&]() -> DWORD {
    const auto opened = open_itself(path, kMoveRights, kDenyNobody, FILE_FLAG_WRITE_THROUGH);
    if (!opened) {
      fault = opened.error();
      return ERROR_SUCCESS;
    }
    if (!opened->handle.valid()) return opened->code;
    const auto looked = look_at_entry(*opened, path);
    if (!looked || looked->hidden_link) {
      fault = looked ? is_link_error(path) : looked.error();
      return ERROR_SUCCESS;
    }
    return give_name(handle_of(opened->handle), target, IfTaken::kFail) ? ERROR_SUCCESS
                                                                        : last_error();
  });
  if (fault) return fail(*std::move(fault));
  if (code == ERROR_SUCCESS) return Placed::kPlaced;
  if (is_taken(code)) return Placed::kNameTaken;
  return fail(win_error("move", path, code, "nothing has changed"));
}

// Windows has two kinds of symbolic links, and the maker must know whether the target is a
// directory: so, unlike on Linux, it is looked at; what is not there (yet) is taken for a file.
// Making one needs developer mode or a privilege: `eperm` without.
//
// Wine 8 answers yes and makes nothing. What is not there afterwards was not made: `unsupported`.
Result<Placed> make_link(const Dir& dir, const SafeName& name, const std::string& target) {
  HF_TRY(check_path_text(target));
  const std::string path = dir.path_of(name);
  const std::wstring wide = HF_TRY(extended_path(path));
  std::wstring text = HF_TRY(to_wide(target));
  std::ranges::replace(text, L'/', L'\\');
  if (sys().GetFileAttributesW(wide.c_str()) != kNoAttributes) return Placed::kNameTaken;
  const DWORD kind =
      leads_to_directory(dir, target) ? DWORD{SYMBOLIC_LINK_FLAG_DIRECTORY} : DWORD{0};
  if (sys().CreateSymbolicLinkW(wide.c_str(), text.c_str(), kind | kUnprivileged) == 0) {
    if (is_taken(last_error())) return Placed::kNameTaken;
    return fail(last_os_error("make the link", path, "nothing was created"));
  }
  if (sys().GetFileAttributesW(wide.c_str()) != kNoAttributes) return Placed::kPlaced;
  return fail({.code = ErrorCode::kRefused,
               .op = "make the link",
               .subject = path,
               .cause = "unsupported",
               .detail = "the system said that it was made, and it is not there"});
}

void close_for_removal(Dir& open) { const Dir gone = std::move(open); }

Result<Hold> hold_dir(const Dir& beside, const Dir& dir, const SafeName& kind, Duration limit) {
  constexpr std::uint64_t kHighest = 0x3FFFFFFFFFFFFFFFU;  // what a file offset can be
  const std::uint64_t offset = HF_TRY(dir.info()).id.inode & kHighest;
  auto file = std::make_shared<File>(HF_TRY(open_holds(beside, kind)));
  if (!HF_TRY(wait_for_lock(limit, [&] { return try_byte(*file, offset); }, pause))) return Hold();
  return Hold(std::move(file));
}

Result<Placed> move_open(const Dir& from, const SafeName& name, const Dir& to,
                         const SafeName& new_name, Dir& moved) {
  const FileId id = HF_TRY(moved.info()).id;
  close_for_removal(moved);
  const auto placed = move_new(from, name, to, new_name);
  if (!placed || *placed != Placed::kPlaced) {
    auto again = reopen(from, name, id);
    if (again) moved = *std::move(again);
    if (!again && placed) return fail(again.error());  // else the caller would go on with nothing
    return placed;
  }
  auto there = reopen(to, new_name, id);
  if (there) {
    moved = *std::move(there);
    return placed;
  }
  // Moved, but nobody can say that this is it: it goes back, and the answer says where it is.
  Error error = there.error();
  const auto back = move_new(to, new_name, from, name);
  const bool is_back = back && *back == Placed::kPlaced;
  if (is_back) {
    auto again = reopen(from, name, id);
    if (again) moved = *std::move(again);
  }
  error.detail += is_back ? "; it was left as it is" : "; it is " + to.path_of(new_name) + " now";
  return fail(std::move(error));
}

Result<Removed> remove_open(const Dir& parent, const SafeName& name, Dir& open) {
  close_for_removal(open);
  return parent.remove_dir(name);
}

}  // namespace holdfast::os
