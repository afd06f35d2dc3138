// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "lock/ledger/ledger.h"
#include "os/file/metadata.h"

namespace holdfast::lock {
namespace {

Error lock_file_refused(const os::File& file, std::string_view cause, std::string_view detail) {
  return {.code = ErrorCode::kRefused,
          .op = "lock with",
          .subject = file.path(),
          .cause = std::string(cause),
          .detail = std::string(detail) + "; nothing was locked"};
}

}  // namespace

Result<> check_lock_file(const os::OpenedFile& opened, GroupMayWrite group) {
  const auto& [file, info] = opened;
  if (info.uid != os::own_uid()) {
    return fail(lock_file_refused(file, "foreign-owner", "it belongs to another user"));
  }
  if (info.links > 1) return fail(lock_file_refused(file, "hard-linked", "it has other names"));
  constexpr std::uint32_t kGroupWrite = 020;
  constexpr std::uint32_t kOtherWrite = 002;
  const bool by_group = group == GroupMayWrite::kNo && (info.mode & kGroupWrite) != 0;
  if (by_group || (info.mode & kOtherWrite) != 0) {
    return fail(lock_file_refused(file, "writable-by-others",
                                  "others may change it; take the right away with chmod go-w"));
  }
  return {};
}

}  // namespace holdfast::lock
