// SPDX-License-Identifier: Apache-2.0
//
// Place: where a lock lies. A named lock is one ledger in `HOME/locks`; the lock of a file is a
// sidecar and a ledger beside the file that the path leads to, links followed.
//
// A path is the lock itself: exactly that file or directory is flocked, as flock(1) does
// (os/lock/lock_path.h), and everybody who flocks it is excluded, in any home and of any user. Its
// ledger lies in `HOME/locks`, under the escaped absolute path: a directory such as /tmp or
// /run/lock is no place for a record that others could plant, and often none that we may write to.
// So the record is one of this home: a holder with another home is seen as the kernel tells it, by
// its process. What the record promises beyond the flock (identity of the work, fence, lease) holds
// between holders with the same home. The path is the name in the list of locks, too.
//
// Errors: of os/lock/lock_path.h; kUsage `name-too-long` where `.NAME.lock` does not fit, and of format/text/name_escape.h; of
// file/replace/target.h for the path; kOsRefused `unsupported-fs` where the file system does not keep
// locks as one kernel does (network, user space, or one that is not known).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "file/replace/target.h"
#include "format/lock/lock_chain.h"
#include "os/dir/dir.h"

namespace holdfast::lock {

enum class AnyFileSystem : std::uint8_t { kRefuse, kAllow };

struct Place {
  ChainEntry::Kind kind = ChainEntry::Kind::kNamed;
  std::string label;                   // NAME, or `file:` and the absolute path
  std::shared_ptr<const os::Dir> dir;  // owners: each seat in it, and the backend that opened them
  os::SafeName ledger;
  std::optional<os::SafeName> sidecar;
  std::shared_ptr<const os::Dir> sidecar_dir{};  // that of a path is not `dir`
  bool is_path = false;     // the sidecar is a file of the user's, who may keep anything in it
  std::string ledger_path;  // absolute
  std::string file_system;  // its name
  bool trusted = true;      // false: allowed by name although locks may lie there
};

// What the named locks of one directory share.
struct LocksDir {
  os::FileId id;
  std::string real_path;
  std::string file_system;
  bool trusted = true;
};
Result<LocksDir> look_at_locks_dir(const os::Dir& locks, AnyFileSystem any);

// A name that is an absolute path is that of a ledger that was found: where the file is gone, it has
// no sidecar, and nobody holds it in the kernel.
Result<Place> named_place(os::Dir locks, std::string_view name,
                          AnyFileSystem any = AnyFileSystem::kRefuse);
// The same where the directory was looked at before.
Result<Place> named_place(std::shared_ptr<const os::Dir> locks, const LocksDir& known,
                          std::string_view name);
// `locks` may be null if there is no home: then it can only be looked at.
Result<Place> path_place(std::shared_ptr<const os::Dir> locks, const LocksDir& known,
                         const std::string& path, AnyFileSystem any);
Result<Place> file_place(const std::string& path, AnyFileSystem any = AnyFileSystem::kRefuse);
// The same for who has found the file already, by its own rules about links: the lock lies in that
// very directory, whatever the path leads to by now.
Result<Place> file_place(file::Target target, AnyFileSystem any = AnyFileSystem::kRefuse);
// Has the file a lock, that is, could anybody hold one? What cannot be told counts as yes; a name
// that is too long for a lock has none.
bool has_lock(const file::Target& target);
// How the lock of a file is called: `file:` and the path, links above it resolved.
Result<std::string> file_place_label(const file::Target& target);
// The place of a ledger by its own path, as chains name it; it must be one of the two kinds.
Result<Place> place_of_ledger(ChainEntry::Kind kind, const std::string& ledger_path);

}  // namespace holdfast::lock
