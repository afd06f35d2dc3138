// SPDX-License-Identifier: Apache-2.0
//
// Dir: an open directory, and everything that is done inside it.
//
// Guarantee: work happens relative to the handle, never to a path that somebody may swap meanwhile.
// No operation below a Dir follows a link: one in the way is kRefused, cause `is-link`. Where a
// call asks about a name (open_file, create_file, make_dir, rename_new's target, remove_…, info),
// that it does not exist or is taken is an answer (nullopt, kNameTaken, …), not an error. A call
// that needs a directory to be there (open, open_following_links, open_dir, open_dir_beneath) has
// no answer without one: kNotFound, as has rename_new without the thing to rename.
//
// Limits: Dir::open itself follows links *above* the last component, as every program does (/home
// may be one). The caller who needs more checks exposure() of what it got. On Windows the handle
// keeps the directory from being renamed or deleted while it is open (share mode without delete),
// and operations go by full path below it; every component is checked for reparse points before
// use. There removing or renaming a directory that is open anywhere is kBusy, path() is absolute
// with backslashes, and a mode without group and other bits becomes a protected access list, any
// other mode inherits.
//
// Errors: see os_error.h; plus kRefused with `is-link`, `not-a-directory`, `not-a-regular-file`,
// and `unsafe-name` for a path that holds a NUL byte. An error of create_file or make_dir says
// whether something new was left behind. Threads: const operations may run concurrently.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/file/file.h"
#include "os/path/safe_name.h"
#include "os/sys/handle.h"

namespace holdfast {

// The modes of what only its owner may see. Windows translates them into an access list.
inline constexpr std::uint32_t kPrivateFile = 0600;
inline constexpr std::uint32_t kPrivateDir = 0700;

}  // namespace holdfast

namespace holdfast::os {

enum class Access : std::uint8_t {
  kRead,
  kReadWrite,
  kAppend,  // read, and write at the end only; file.h says what holds where
};
enum class Made : std::uint8_t { kMade, kAlreadyThere };
enum class Placed : std::uint8_t { kPlaced, kNameTaken };
enum class Exchanged : std::uint8_t { kExchanged, kUnsupported };
enum class Removed : std::uint8_t { kRemoved, kNotThere };
enum class Visit : std::uint8_t { kContinue, kStop };

class Dir {
 public:
  // The last component must be a real directory, also where "/" or "/." is written behind it; links
  // above it are followed.
  static Result<Dir> open(const std::string& path);
  // As open, but the last component may be a link too: for directories that a person named.
  static Result<Dir> open_following_links(const std::string& path);
  // No component at all may be a link: for work where somebody may plant one. `..` is allowed. The
  // error names the link. (On Windows neither case nor short names count.)
  static Result<Dir> open_without_links(const std::string& path);
  // The same where the right to read the directory may be missing (mode 0711): for looks by name.
  // On Linux it cannot be listed, synced or locked, and its access list cannot be read.
  static Result<Dir> open_to_search(const std::string& path);

  [[nodiscard]] Result<Dir> open_dir(const SafeName& name) const;
  // Several components at once, `a/b/c`, none of them a link: openat2 where the kernel has it, else
  // component by component with the same answer.
  [[nodiscard]] Result<Dir> open_dir_beneath(std::string_view relative) const;

  [[nodiscard]] Result<std::optional<File>> open_file(const SafeName& name, Access access) const;
  // A new, empty file with exactly `mode`, whatever the umask; nullopt where the name is taken.
  [[nodiscard]] Result<std::optional<File>> create_file(const SafeName& name,
                                                        std::uint32_t mode) const;
  // A new directory with exactly `mode`, whatever the umask. kAlreadyThere says nothing about what
  // is there.
  [[nodiscard]] Result<Made> make_dir(const SafeName& name, std::uint32_t mode) const;
  // Never replaces: what already has the name stays (kNameTaken). A file system or kernel that
  // cannot promise that answers with an error (EINVAL, ENOSYS) and changes nothing.
  [[nodiscard]] Result<Placed> rename_new(const SafeName& from, const SafeName& to) const;
  // Replaces what has the name `to`, in one step.
  [[nodiscard]] Result<> rename_over(const SafeName& from, const SafeName& to) const;
  // The same for a `to` that others have open and go on using. Windows: in one step where a rename
  // has POSIX semantics; else `to` is moved aside first and removed, so for a moment nobody has the
  // name. kNameTaken: somebody took it in that moment, and `from` keeps its name. kRefused
  // `held-open`: somebody has opened `to` so that it can be neither renamed nor removed.
  [[nodiscard]] Result<Placed> take_name(const SafeName& from, const SafeName& to) const;
  // Would take_name() refuse it as `held-open`, as far as this moment tells? Only on Windows.
  [[nodiscard]] Result<bool> is_held_open(const SafeName& name) const;
  // The two names change places in one step; both must exist. kUnsupported: this file system or
  // kernel cannot, and nothing has changed. Windows never can.
  [[nodiscard]] Result<Exchanged> exchange(const SafeName& one, const SafeName& other) const;
  [[nodiscard]] Result<Removed> remove_file(const SafeName& name) const;
  // Only an empty directory.
  [[nodiscard]] Result<Removed> remove_dir(const SafeName& name) const;

  [[nodiscard]] Result<std::optional<FileInfo>> info(const SafeName& name) const;
  [[nodiscard]] Result<FileInfo> info() const;
  // As info(name), but only which file it is. Linux: the times are not asked for, because a write
  // after somebody saw them is stamped to the nanosecond, which costs more than the write.
  [[nodiscard]] Result<std::optional<FileId>> id_of(const SafeName& name) const;
  // Where a link points, as it is written there; nullopt for what is no link, or not there. On
  // Windows with slashes, and one that is not relative to its directory starts with a slash or a
  // drive; kOsRefused for a reparse point of another kind, and for all of them under Wine.
  [[nodiscard]] Result<std::optional<std::string>> read_link(const SafeName& name) const;
  [[nodiscard]] Result<Exposure> exposure() const;
  // Calls `visit` for each entry but "." and "..", in no order, with its type where the file system
  // tells it (else kUnknown). Memory stays flat however many entries there are. The view dies with
  // the call.
  [[nodiscard]] Result<> each_entry(
      const std::function<Visit(std::string_view name, FileType type)>& visit) const;
  // Makes the names in this directory durable. On Windows it does nothing: there renames are
  // written through, and a file makes its own name durable (File::sync_name, which goes before this
  // one). That a directory was made, or a name removed, is durable there when NTFS has written its
  // log, which takes seconds; no call waits for it.
  [[nodiscard]] Result<> sync() const;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path_of(const SafeName& name) const;
  [[nodiscard]] NativeHandle native() const { return handle_.get(); }

 private:
  Dir(Handle handle, std::string path) : handle_(std::move(handle)), path_(std::move(path)) {}

  Handle handle_;
  std::string path_;  // for messages; on Windows also the base of full paths
};

}  // namespace holdfast::os
