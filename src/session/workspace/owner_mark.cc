// SPDX-License-Identifier: Apache-2.0
#include "session/workspace/owner_mark.h"

#include "format/session/outside_entry.h"
#include "os/dir/dir_metadata.h"
#include "os/lock/dir_lock.h"
#include "os/path/path.h"
#include "session/workspace/outside.h"

namespace holdfast::session {
namespace {

constexpr Duration kOwnerMarkPatience = std::chrono::seconds(1);

// `directory` of the entry is that of the home's sessions, here.
Result<OutsideEntryRecord> owner_of(const os::Dir& dir, const std::string& mark) {
  return decode_outside_entry(mark, "the mark of " + dir.path());
}

Result<bool> is_meant(const OutsideEntryRecord& owner, const os::Dir& dir) {
  const os::FileId id = HF_TRY(dir.info()).id;
  return owner.inode == id.inode && owner.birth_ns == HF_TRY(os::birth_time_of(dir));
}

// A home that cannot be looked at may have it.
bool may_have(const OutsideEntryRecord& owner) {
  auto sessions = os::Dir::open(owner.directory);
  if (!sessions) return true;
  const auto entry = find_outside(SessionStore(*std::move(sessions)), owner.id);
  return !entry || entry->has_value();
}

std::unexpected<Error> not_ours(const os::Dir& dir, const std::string& home) {
  return fail({.code = ErrorCode::kRefused,
               .op = "mark as a session's directory",
               .subject = dir.path(),
               .cause = "other-home",
               .detail = "it belongs to a session of another home (" + home +
                         "); `holdfast session forget` there gives it free"});
}

}  // namespace

Result<std::optional<std::string>> other_home_of(const SessionStore& store, const os::Dir& dir) {
  const auto mark = HF_TRY(os::mark_of(dir));
  if (!mark) return std::nullopt;
  const auto owner = owner_of(dir, *mark);
  if (!owner) return "unknown: " + owner.error().cause;
  if (!HF_TRY(is_meant(*owner, dir))) return std::nullopt;
  if (HF_TRY(find_outside(store, owner->id))) return std::nullopt;
  if (!may_have(*owner)) return std::nullopt;
  return owner->directory;
}

Result<os::Marked> mark_owner(const SessionStore& store, const os::Dir& dir, const Id128& id) {
  if (!os::offers_marks()) return os::Marked::kNotOffered;  // a lock would leave a file in it
  const os::FileId file = HF_TRY(dir.info()).id;
  const std::string bytes =
      encode_outside_entry({.id = id,
                            .directory = HF_TRY(os::real_path_of(store.dir())),
                            .device = file.device,
                            .inode = file.inode,
                            .birth_ns = HF_TRY(os::birth_time_of(dir))});
  os::DirLock lock = HF_TRY(os::DirLock::open(dir));
  if (!HF_TRY(lock.lock(kOwnerMarkPatience))) {
    return fail({.code = ErrorCode::kBusy,
                 .op = "mark as a session's directory",
                 .subject = dir.path(),
                 .cause = "directory-busy",
                 .detail = "somebody has held its lock for longer than a second"});
  }
  if (const auto other = HF_TRY(other_home_of(store, dir))) return not_ours(dir, *other);
  if (HF_TRY(os::mark_of(dir))) HF_TRY(os::remove_mark(dir));
  return os::put_mark(dir, bytes);
}

Result<> unmark_owner(const os::Dir& dir, const Id128& id) {
  const auto mark = HF_TRY(os::mark_of(dir));
  if (!mark) return {};
  const auto owner = owner_of(dir, *mark);
  if (!owner || owner->id != id) return {};
  return os::remove_mark(dir);
}

}  // namespace holdfast::session
