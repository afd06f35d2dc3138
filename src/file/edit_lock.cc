// SPDX-License-Identifier: Apache-2.0
//
// Somebody may remove or replace the sidecar although nobody should. Then the name leads to another
// inode than the one that we wait for, and a newcomer would lock that one: two holders. So after
// each grant the name is looked at again, and only a lock on the file that has the name counts.
#include "file/edit_lock.h"

#include <algorithm>
#include <string>

#include "base/duration.h"
#include "os/dir_lock.h"
#include "os/lock_holder.h"
#include "os/metadata.h"
#include "os/pause.h"
#include "os/real_clock.h"

namespace holdfast::file {
namespace {

constexpr std::uint32_t kPrivate = 0600;
constexpr Duration kShortest = std::chrono::milliseconds(1);
constexpr Duration kLongest = std::chrono::milliseconds(25);

Result<os::SafeName> sidecar_name(const Target& target) {
  auto name = os::SafeName::make("." + target.name.str() + ".lock");
  if (name) return name;
  return fail({.code = ErrorCode::kUsage,
               .op = "lock",
               .subject = target.path,
               .cause = "name-too-long",
               .detail = "the name of its lock, `.NAME.lock`, would be longer than 255 bytes"});
}

Result<> check_sidecar(const os::File& file) {
  const auto refuse = [&](std::string_view cause, std::string_view detail) {
    return fail({.code = ErrorCode::kRefused,
                 .op = "lock",
                 .subject = file.path(),
                 .cause = std::string(cause),
                 .detail = std::string(detail)});
  };
  const os::FileInfo info = HF_TRY(file.info());
  if (info.uid != os::own_uid()) return refuse("foreign-owner", "it belongs to another user");
  if (info.links > 1) return refuse("hard-linked", "it has other names");
  return {};
}

Result<os::File> open_sidecar(const Target& target, const os::SafeName& name) {
  for (;;) {
    auto file = HF_TRY(target.dir.open_file(name, os::Access::kRead));
    if (!file) file = HF_TRY(target.dir.create_file(name, kPrivate));
    if (!file) continue;  // somebody made it in between
    HF_TRY(check_sidecar(*file));
    return std::move(*file);
  }
}

Error busy(const Target& target, const os::File& file, Duration wait) {
  std::string holder = "another process";
  if (const auto info = file.info()) {
    const auto named = os::flock_holder(info->id);
    if (named && *named && (*named)->pid) {
      holder = "process " + std::to_string(os::number(*(*named)->pid));
    }
  }
  return {.code = ErrorCode::kBusy,
          .op = "lock",
          .subject = target.path,
          .cause = "file-busy",
          .detail = holder + " is changing it, and " + format_duration(wait) +
                    " of waiting were not enough; nothing was changed"};
}

}  // namespace

Result<EditLock> EditLock::take(const Target& target, Duration wait) {
  const os::SafeName name = HF_TRY(sidecar_name(target));
  const os::RealClock clock;
  const BootTime begun = clock.boot();
  Duration pause = kShortest;
  for (;;) {
    os::File file = HF_TRY(open_sidecar(target, name));
    if (HF_TRY(os::try_lock_file(file))) {
      const auto now = HF_TRY(target.dir.info(name));
      if (now && now->id == HF_TRY(file.info()).id) return EditLock(std::move(file));
      continue;
    }
    const Duration left = wait - (clock.boot() - begun);
    if (left <= Duration::zero()) return fail(busy(target, file, wait));
    os::pause(std::min(pause, left));
    pause = std::min(pause * 2, kLongest);
  }
}

}  // namespace holdfast::file
