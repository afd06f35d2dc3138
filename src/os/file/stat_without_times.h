// SPDX-License-Identifier: Apache-2.0
//
// Looks at files that do not ask for their times. A write after somebody saw the times is stamped
// to the nanosecond, which costs more than the write: whoever writes often must not look often. And
// a file of one's own is opened so that reading it leaves no time either.
//
// Errors: as Dir. Windows: nothing is saved, the answers are the same.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "os/dir/dir.h"
#include "os/file/file.h"

namespace holdfast::os {

struct OpenedFile {
  File file;
  FileInfo info;  // without `modified`, `changed` and `size`
};

// As Dir::open_file, with what there is to know of it. Not for Access::kAppend.
Result<std::optional<OpenedFile>> open_without_times(const Dir& dir, const SafeName& name,
                                                     Access access);

// Has it a name left, whatever that is? False: it was deleted, or another was put in its place. Not
// seen: that it was moved away, that its name is a second one, or one that a network file system
// keeps for it. Cheaper by half than to ask a name where it leads.
Result<bool> has_name(const File& file);

// Which file a path leads to, links followed above its last component; nullopt: none.
Result<std::optional<FileId>> id_of_path(const std::string& path);

}  // namespace holdfast::os
