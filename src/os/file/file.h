// SPDX-License-Identifier: Apache-2.0
//
// An open regular file (File), and what a file is, as its handle, or its name with no link followed,
// tells (FileInfo, Exposure).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "os/sys/handle.h"

namespace holdfast::os {

enum class FileType : std::uint8_t { kRegular, kDirectory, kLink, kOther, kUnknown };

// The inode: two handles with the same id are the same file, whatever their names.
struct FileId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  auto operator<=>(const FileId&) const = default;
};

struct FileInfo {
  FileType type = FileType::kUnknown;
  FileId id;
  std::uint64_t size = 0;
  std::uint64_t links = 0;
  std::uint32_t mode = 0;  // permission bits (07777); 0 on Windows
  std::uint32_t uid = 0;   // 0 on Windows, where Exposure is what counts
  std::uint32_t gid = 0;
  WallTime modified{};  // the content
  WallTime changed{};   // anything about it, its attributes and names too; on Windows as `modified`
};

// Who else could tamper with a file or directory. On POSIX it comes from owner and mode (the group
// bits hold the mask of an ACL, so an ACL that lets others write shows here too); on Windows from
// the owner's SID and the access control list.
struct Exposure {
  // kSystem: root, or SYSTEM, Administrators and TrustedInstaller: they can do anything anyway.
  enum class Owner : std::uint8_t { kSelf, kSystem, kOther };
  enum class Others : std::uint8_t { kNothing, kRead, kWrite };

  Owner owner = Owner::kOther;
  Others others = Others::kWrite;
  // Of a directory: can they put something else in place of what is in it? Not where all that they
  // may is to add to it.
  bool others_can_swap = true;
};

// File: one open regular file.
//
// Guarantees: read_all and write_all do the whole job or say why not (EINTR and short transfers are
// handled here and nowhere else); a File got from Dir is a regular file, not a link, FIFO or
// device. Limits: write_all that fails may have written a part: only an unpublished file
// (StagedFile) is written this way. sync() is the device's word; after a failed sync the state of
// the file is unknown and the caller must not assume that a later success covers earlier bytes.
// On Windows one File must not be used by two threads at once (positions are shared), and sync()
// needs the right to write the file, though not this handle. close() reports what the destructor
// cannot: on some file systems a failed write shows only there.
//
// A file opened with Access::kAppend: each write lands at the end as it is at that moment, also
// where another handle or process has moved it (on Windows the same is promised by the file system,
// but not by Wine, which looks for the end first). One call of write_all may still be several
// writes. write_at refuses there (`einval`): Linux would append instead.
class File {
 public:
  enum class Writes : std::uint8_t { kAtPosition, kAtEnd };

  // `path` is for messages only. kAtEnd: the handle was opened to append.
  File(Handle handle, std::string path, Writes writes = Writes::kAtPosition)
      : handle_(std::move(handle)), path_(std::move(path)), writes_(writes) {}

  // Everything from the current position; more than `max` bytes is kRefused, cause `too-large`.
  [[nodiscard]] Result<std::string> read_all(std::size_t max);
  // At most `size` bytes at `offset`; an empty string is the end of the file.
  [[nodiscard]] Result<std::string> read_at(std::uint64_t offset, std::size_t size) const;
  // Fills `buffer` from `offset` on, as far as the file goes; returns the number of bytes, less
  // than asked only at the end of the file. Allocates nothing unless it fails.
  [[nodiscard]] Result<std::size_t> read_into(std::uint64_t offset, std::span<char> buffer) const;
  // The same by one call: it may be fewer bytes than there are, though on a local file system it
  // is not.
  [[nodiscard]] Result<std::size_t> read_once(std::uint64_t offset, std::span<char> buffer) const;
  [[nodiscard]] Result<> write_all(std::string_view bytes);
  [[nodiscard]] Result<> write_at(std::uint64_t offset, std::string_view bytes);
  [[nodiscard]] Result<> truncate(std::uint64_t size);
  // Real space for the first `size` bytes, so that writing there cannot run out of it; a shorter
  // file becomes `size` long, with zeros. A file system that cannot is kOsRefused (`eopnotsupp`):
  // it is not imitated by writing. After a failure the file may have grown by a part. On Windows
  // the end of the file is set, which takes the space on NTFS.
  [[nodiscard]] Result<> allocate(std::uint64_t size);
  // Exactly `mode`, whatever the umask. On Windows the access list that a new file with this mode
  // gets: for this user alone where there are no bits for group and others, else as the directory
  // has it.
  [[nodiscard]] Result<> set_mode(std::uint32_t mode);
  // Content and metadata on stable storage.
  [[nodiscard]] Result<> sync();
  // The name that this open file was given since it was synced, on stable storage. On Windows,
  // where it is the file's; on Linux it is the directory's (Dir::sync) and nothing happens. Who
  // wants both calls both, this one first.
  [[nodiscard]] Result<> sync_name();
  // Has writing back to the device failed since this handle was opened, or since it was last told?
  // Costs no flush. Windows cannot tell and says yes, it is well.
  [[nodiscard]] Result<> check_written_back();
  // Content, and of the metadata what is needed to read it (the length, not the times): cheaper
  // where the length stays as it is. On Windows the same as sync().
  [[nodiscard]] Result<> sync_data();
  [[nodiscard]] Result<FileInfo> info() const;
  [[nodiscard]] Result<Exposure> exposure() const;
  [[nodiscard]] Result<> close();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] NativeHandle native() const { return handle_.get(); }

 private:
  // One call each, from the current position: how many bytes went; of the reading, 0 at the end.
  [[nodiscard]] Result<std::size_t> read_next(std::span<char> buffer);
  [[nodiscard]] Result<std::size_t> write_next(std::string_view bytes);

  Handle handle_;
  std::string path_;
  Writes writes_;
};

}  // namespace holdfast::os
