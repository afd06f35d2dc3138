// SPDX-License-Identifier: Apache-2.0
//
// The hostile cases are those of remove_tree_linux.cc; the means are others.
//
//   - A directory becomes a junction between "it is a directory" and opening it. It is opened as
//     itself (FILE_FLAG_OPEN_REPARSE_POINT), with the right to remove it and without sharing that
//     right, and looked at on the handle. While it is open nobody can rename or remove it, nor what
//     it lies in, so a path below it leads into it. It is emptied and then removed through this one
//     handle: there is no second look-up of its name.
//   - A link, a junction: opened as itself, so what is removed is the link. Wine 8 opens what it
//     leads to; there it is found out (entry_win.h), left, and counted as a fault (`is-link`).
//   - Ten thousand levels: a handle each, which Windows has plenty of, and a list of levels instead
//     of a stack. A path has at most 32767 characters; what lies deeper is a fault.
//   - A file whose read-only attribute is set is not removable: Windows is asked to look past it.
//     Where it cannot, the attribute is taken off, the counterpart of the rights that are given to
//     directories there. A file that has another name keeps the attribute under that one.
//
// Names are taken as the file system has them, in UTF-16 and behind `\\?\`: also those that no
// SafeName can be (`con`, trailing dots, half surrogates) go with the tree.
#include "os/dir/remove_tree.h"

#include <array>
#include <memory>

#include "base/cause.h"
#include "os/file/entry_win.h"
#include "os/path/path_win.h"
#include "os/path/wide_win.h"

namespace holdfast::os {
namespace {

constexpr DWORD kRights = DELETE | FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES | SYNCHRONIZE;
constexpr DWORD kFewerRights = DELETE | FILE_READ_ATTRIBUTES | SYNCHRONIZE;
constexpr DWORD kIgnoreReadOnly = 0x10;  // FILE_DISPOSITION_FLAG_IGNORE_READONLY_ATTRIBUTE
constexpr std::size_t kListBytes = 16384;
constexpr int kRounds = 64;
constexpr auto kListOn = FileFullDirectoryInfo;
constexpr auto kListAnew = FileFullDirectoryRestartInfo;

struct Level {
  alignas(FILE_FULL_DIR_INFO) std::array<std::byte, kListBytes> entries;
  std::size_t next = 0;  // in `entries`
  bool some = false;     // `entries` has some that were not looked at
  bool anew = true;
  bool stays = false;
  int rounds = 0;
  std::uint64_t removed_before = 0;
  Handle handle;
  std::wstring path;
  std::string name;
};

class Walk {
 public:
  explicit Walk(const Flag* stop) : stop_(stop) {}

  void remove(std::wstring path, const std::string& name) {
    result_.gone = enter(std::move(path), name) == Fate::kGone;
    while (!levels_.empty() && !stopped()) step();
    levels_.clear();
  }
  TreeRemoval take() { return std::move(result_); }

 private:
  enum class Fate : std::uint8_t { kGone, kStays, kEntered };

  bool stopped() {
    result_.stopped = result_.stopped || (stop_ != nullptr && stop_->raised());
    return result_.stopped;
  }

  // One entry of the innermost directory, or its end.
  void step() {
    Level& level = *levels_.back();
    if (!level.some && !list(level)) return leave();
    const auto* entry =
        reinterpret_cast<const FILE_FULL_DIR_INFO*>(level.entries.data() + level.next);
    level.some = entry->NextEntryOffset != 0;
    level.next += entry->NextEntryOffset;
    const std::wstring name(&entry->FileName[0], entry->FileNameLength / sizeof(wchar_t));
    if (name == L"." || name == L"..") return;
    if (enter(level.path + L'\\' + name, from_wide(name)) == Fate::kStays) level.stays = true;
  }

  bool list(Level& level) {
    const auto how = level.anew ? kListAnew : kListOn;
    level.anew = false;
    level.next = 0;
    level.some =
        sys().GetFileInformationByHandleEx(handle_of(level.handle), how, level.entries.data(),
                                           static_cast<DWORD>(level.entries.size())) != FALSE;
    if (!level.some && last_error() != ERROR_NO_MORE_FILES &&
        last_error() != ERROR_FILE_NOT_FOUND) {
      level.stays = true;
      fault("", last_error(), levels_.size());
    }
    return level.some;
  }

  // The innermost directory has been read to its end.
  void leave() {
    Level& level = *levels_.back();
    Fate fate = Fate::kStays;
    if (!level.stays) {
      if (mark_for_removal(handle_of(level.handle))) {
        ++result_.removed;
        fate = Fate::kGone;
      } else {
        const DWORD code = last_error();
        // Somebody added to it, or the listing missed one: once more, as long as that helps.
        if (code == ERROR_DIR_NOT_EMPTY && result_.removed != level.removed_before &&
            ++level.rounds < kRounds) {
          level.removed_before = result_.removed;
          level.anew = true;
          return;
        }
        fault(level.name, code, levels_.size() - 1);
      }
    }
    levels_.pop_back();  // closes it, with which the name goes where it does not go at once
    if (levels_.empty()) {
      result_.gone = fate == Fate::kGone;
    } else if (fate == Fate::kStays) {
      levels_.back()->stays = true;
    }
  }

  Fate enter(std::wstring path, const std::string& name) {
    const std::size_t depth = levels_.size();
    Handle handle = own(sys().CreateFileW(path.c_str(), kRights, kDenyDelete, nullptr,
                                          OPEN_EXISTING, kOpenLinkItself, nullptr));
    // A file that may be removed, but not read.
    if (!handle.valid() && last_error() == ERROR_ACCESS_DENIED) {
      handle = own(sys().CreateFileW(path.c_str(), kFewerRights, kDenyNobody, nullptr,
                                     OPEN_EXISTING, kOpenLinkItself, nullptr));
    }
    // A file that others have open, sharing its removal.
    if (!handle.valid() && last_error() == ERROR_SHARING_VIOLATION) {
      handle = own(sys().CreateFileW(path.c_str(), kFewerRights, kDenyNobody, nullptr,
                                     OPEN_EXISTING, kOpenLinkItself, nullptr));
    }
    if (!handle.valid()) {
      if (last_error() == ERROR_FILE_NOT_FOUND) return Fate::kGone;
      return fault(name, last_error(), depth);
    }
    BY_HANDLE_FILE_INFORMATION info{};
    if (sys().GetFileInformationByHandle(handle_of(handle), &info) == FALSE) {
      return fault(name, last_error(), depth);
    }
    const FileType type = type_of_attributes(info.dwFileAttributes);
    if (type == FileType::kLink) {
      const auto target = read_reparse(handle, name);
      if (!target) return fault_because(name, target.error().cause, depth);
      if (*target && (*target)->volume) return fault_because(name, "is-mount", depth);
      return remove_leaf(handle, info, path, name);
    }
    if (is_hidden_link(handle, path)) return fault_because(name, cause::kIsLink, depth);
    if (type != FileType::kDirectory) return remove_leaf(handle, info, path, name);
    auto level = std::make_unique<Level>();
    level->handle = std::move(handle);
    level->path = std::move(path);
    level->name = name;
    level->removed_before = result_.removed;
    levels_.push_back(std::move(level));
    return Fate::kEntered;
  }

  // Where it cannot be told, it is one.
  static bool is_hidden_link(const Handle& handle, const std::wstring& path) {
    const DWORD by_path = sys().GetFileAttributesW(path.c_str());
    if (by_path == kNoAttributes || type_of_attributes(by_path) == FileType::kLink) return true;
    const auto elsewhere = leads_elsewhere(handle, plain_path(path));
    return !elsewhere || *elsewhere;
  }

  Fate remove_leaf(const Handle& handle, const BY_HANDLE_FILE_INFORMATION& info,
                   const std::wstring& path, const std::string& name) {
    const bool fixed = (info.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0;
    if (fixed ? remove_fixed(handle, info) : mark_for_removal(handle_of(handle))) {
      ++result_.removed;
      return Fate::kGone;
    }
    const DWORD code = last_error();
    if (code == ERROR_FILE_NOT_FOUND || is_gone(path)) return Fate::kGone;
    return fault(name, code, levels_.size());
  }

  // Only "there is no such name" says so; who may not look, or cannot, has not seen that it is
  // gone.
  static bool is_gone(const std::wstring& path) {
    return sys().GetFileAttributesW(path.c_str()) == kNoAttributes &&
           (last_error() == ERROR_FILE_NOT_FOUND || last_error() == ERROR_PATH_NOT_FOUND);
  }

  // Read-only. The attribute is the file's and not the name's: where the file has a name outside of
  // this tree, it has it there, too, and keeps it. Where the system cannot look past it, it is
  // taken off, and put back on what is left. (Who dies in between leaves it off.)
  static bool remove_fixed(const Handle& handle, const BY_HANDLE_FILE_INFORMATION& info) {
    DWORD past_it = kRemoveAtOnce | kIgnoreReadOnly;
    if (sys().SetFileInformationByHandle(handle_of(handle), kDispositionEx, &past_it,
                                         sizeof(past_it)) != FALSE) {
      return true;
    }
    // A handle of its own, of the same file, since only these need the right.
    const Handle to_write = own(
        sys().ReOpenFile(handle_of(handle), FILE_WRITE_ATTRIBUTES, kDenyNobody, kOpenLinkItself));
    if (!to_write.valid()) return false;
    const DWORD without = info.dwFileAttributes & ~DWORD{FILE_ATTRIBUTE_READONLY};
    if (!set_attributes(to_write, without != 0 ? without : FILE_ATTRIBUTE_NORMAL)) return false;
    const bool removed = mark_for_removal(handle_of(handle));
    const DWORD code = last_error();
    if (!removed || info.nNumberOfLinks > 1) set_attributes(to_write, info.dwFileAttributes);
    set_last_error(code);
    return removed;
  }

  static bool set_attributes(const Handle& file, DWORD attributes) {
    FILE_BASIC_INFO basic{};
    basic.FileAttributes = attributes;
    return sys().SetFileInformationByHandle(handle_of(file), FileBasicInfo, &basic,
                                            sizeof(basic)) != FALSE;
  }

  Fate fault(const std::string& name, DWORD code, std::size_t depth) {
    return fault_because(name, win_error("remove", "", code).cause, depth);
  }

  Fate fault_because(const std::string& name, std::string cause, std::size_t depth) {
    ++result_.faults;
    if (result_.first_faults.size() == kMaxTreeFaults) return Fate::kStays;
    std::string path;
    for (std::size_t i = 0; i < depth && i < levels_.size(); ++i) path += levels_[i]->name + '/';
    path += name;
    if (path.ends_with('/')) path.pop_back();
    result_.first_faults.push_back({.path = std::move(path), .cause = std::move(cause)});
    return Fate::kStays;
  }

  const Flag* stop_;
  std::vector<std::unique_ptr<Level>> levels_;
  TreeRemoval result_;
};

}  // namespace

TreeRemoval remove_tree(const Dir& parent, const SafeName& name, const Flag* stop) {
  Walk walk(stop);
  const auto path = extended_path(parent.path_of(name));
  if (!path) {
    TreeRemoval refused;
    refused.faults = 1;
    refused.first_faults.push_back({.path = name.str(), .cause = path.error().cause});
    return refused;
  }
  walk.remove(*path, name.str());
  return walk.take();
}

}  // namespace holdfast::os
