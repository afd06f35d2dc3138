// SPDX-License-Identifier: Apache-2.0
//
// The careful way is the only one here: the directory is opened as itself and held, then the file.
// A volume that is mounted on the way is a reparse point and refused as a link is. (It does
// allocate, unlike on Linux: every path does here.)
#include "os/dir/read_beneath.h"

#include "base/cause.h"
#include "os/file/entry_win.h"
#include "os/file/security_win.h"
#include "os/path/path_win.h"

namespace holdfast::os {
namespace {

using ReadBeneathKind = BeneathRead::Kind;

BeneathRead read_beneath_refused(std::string_view cause) {
  return {.kind = ReadBeneathKind::kRefused, .cause = cause};
}

// The causes that a reader of these knows; anything else is told by its number.
BeneathRead explain(const Error& error) {
  if (error.code == ErrorCode::kNotFound) return {.kind = ReadBeneathKind::kNotThere};
  for (const std::string_view cause :
       {cause::kIsLink, cause::kNotADirectory, cause::kNotARegularFile}) {
    if (error.cause == cause) return read_beneath_refused(cause);
  }
  return {.kind = ReadBeneathKind::kFailed, .os_code = error.os_code};
}

}  // namespace

BeneathRead read_own_beneath(const Dir& dir, const char* directory, const char* file,
                             std::span<char> buffer) {
  const auto directory_name = SafeName::make(directory);
  const auto file_name = SafeName::make(file);
  if (!directory_name || !file_name) return read_beneath_refused("unsafe-name");
  const auto step = dir.open_dir(*directory_name);
  if (!step) return explain(step.error());
  const auto opened = step->open_file(*file_name, Access::kRead);
  if (!opened) return explain(opened.error());
  if (!*opened) return {.kind = ReadBeneathKind::kNotThere};
  const auto exposure = (*opened)->exposure();
  if (!exposure) return explain(exposure.error());
  if (exposure->owner != Exposure::Owner::kSelf) return read_beneath_refused("foreign-owner");
  if (exposure->others == Exposure::Others::kWrite)
    return read_beneath_refused("writable-by-others");
  const auto info = (*opened)->info();
  if (!info) return explain(info.error());
  if (info->links > 1) return read_beneath_refused("hard-linked");
  const auto size = (*opened)->read_into(0, buffer);
  if (!size) return explain(size.error());
  return {.kind = ReadBeneathKind::kRead, .size = *size};
}

}  // namespace holdfast::os
