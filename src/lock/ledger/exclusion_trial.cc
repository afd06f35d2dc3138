// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/exclusion_trial.h"

#include "os/dir/dir.h"
#include "os/lock/byte_lock.h"
#include "os/machine/random.h"

namespace holdfast::lock {
namespace {

constexpr std::uint64_t kByte = 1;

// Gets a lock through `one`, is refused it through `other`, and gets it there once it is free.
template <typename Take, typename Give>
Result<bool> excludes(const os::File& one, const os::File& other, const Take& take,
                      const Give& give) {
  if (!HF_TRY(take(one))) return false;
  if (HF_TRY(take(other))) return false;
  HF_TRY(give(one));
  return take(other);
}

Result<bool> try_both(const os::File& one, const os::File& other) {
  using os::File;
  const bool bytes = HF_TRY(excludes(
      one, other,
      [](const File& file) { return os::try_lock_byte(file, kByte, os::Share::kExclusive); },
      [](const File& file) { return os::unlock_byte(file, kByte); }));
  if (!bytes) return false;
  return excludes(
      one, other, [](const File& file) { return os::try_flock(file, os::Share::kExclusive); },
      [](const File& file) { return os::unlock_flock(file); });
}

}  // namespace

Result<> try_exclusion(const Place& place) {
  const std::string id = to_hex(HF_TRY(os::random_id()));
  const os::SafeName name = HF_TRY(os::SafeName::make(".hf-stage-" + id));
  const os::Dir& dir = place.sidecar_dir ? *place.sidecar_dir : *place.dir;
  const auto one = HF_TRY(dir.create_file(name, kPrivateFile));
  const auto other = HF_TRY(dir.open_file(name, os::Access::kReadWrite));
  HF_TRY(dir.remove_file(name));
  const auto held = one && other ? try_both(*one, *other) : Result<bool>(false);
  if (held && *held) return {};
  return fail({.code = ErrorCode::kOsRefused,
               .op = "lock",
               .subject = place.label,
               .cause = "unsupported-fs",
               .detail = "locks on " + place.file_system + " do not exclude even on this machine" +
                         (held ? "" : " (" + to_sentence(held.error()) + ")") +
                         "; nothing was locked"});
}

}  // namespace holdfast::lock
