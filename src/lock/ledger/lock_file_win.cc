// SPDX-License-Identifier: Apache-2.0
//
// Owner and access list say who could change it; there is no group apart from the others.
#include <string>

#include "lock/ledger/ledger.h"

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

Result<> check_lock_file(const os::OpenedFile& opened, GroupMayWrite /*group*/) {
  const auto& [file, info] = opened;
  const os::Exposure exposure = HF_TRY(file.exposure());
  if (exposure.owner != os::Exposure::Owner::kSelf) {
    return fail(lock_file_refused(file, "foreign-owner", "it belongs to another user"));
  }
  if (info.links > 1) return fail(lock_file_refused(file, "hard-linked", "it has other names"));
  if (exposure.others == os::Exposure::Others::kWrite) {
    return fail(
        lock_file_refused(file, "writable-by-others",
                          "others may change it; take the right away from its access list"));
  }
  return {};
}

}  // namespace holdfast::lock
