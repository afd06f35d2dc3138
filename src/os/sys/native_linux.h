// SPDX-License-Identifier: Apache-2.0
//
// Between the neutral handle type and descriptors; for src/os/*/*_linux.cc only.
#pragma once

#include <sys/stat.h>

#include "os/file/file.h"
#include "os/sys/handle.h"

namespace holdfast::os {

inline int fd_of(const Handle& handle) { return static_cast<int>(handle.get()); }

inline FileInfo to_file_info(const struct stat& info) {
  FileInfo out;
  out.type = S_ISREG(info.st_mode)   ? FileType::kRegular
             : S_ISDIR(info.st_mode) ? FileType::kDirectory
             : S_ISLNK(info.st_mode) ? FileType::kLink
                                     : FileType::kOther;
  out.id = {.device = info.st_dev, .inode = info.st_ino};
  out.size = static_cast<std::uint64_t>(info.st_size);
  out.links = info.st_nlink;
  out.mode = info.st_mode & 07777U;
  out.uid = info.st_uid;
  out.gid = info.st_gid;
  out.modified = wall_time_from_unix(info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  out.changed = wall_time_from_unix(info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
  return out;
}

inline Exposure to_exposure(const struct stat& info, uid_t self) {
  Exposure out;
  out.owner = info.st_uid == self ? Exposure::Owner::kSelf
              : info.st_uid == 0  ? Exposure::Owner::kSystem
                                  : Exposure::Owner::kOther;
  out.others = (info.st_mode & 022U) != 0   ? Exposure::Others::kWrite
               : (info.st_mode & 055U) != 0 ? Exposure::Others::kRead
                                            : Exposure::Others::kNothing;
  out.others_can_swap =
      out.others == Exposure::Others::kWrite && (info.st_mode & unsigned{S_ISVTX}) == 0;
  return out;
}

}  // namespace holdfast::os
