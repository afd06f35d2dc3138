// SPDX-License-Identifier: Apache-2.0
#include "gc/adopt.h"

#include <algorithm>

#include "base/cause.h"
#include "base/path_text.h"
#include "format/text/name_escape.h"
#include "gc/outside_trash.h"
#include "gc/pattern.h"
#include "gc/trash.h"
#include "os/dir/dir_metadata.h"
#include "os/file/staged_file.h"
#include "os/machine/random.h"
#include "session/record/layout.h"
#include "session/workspace/below.h"
#include "session/workspace/outside.h"
#include "session/workspace/outside_claims.h"
#include "session/workspace/workspace.h"
#include "session/workspace/workspace_new.h"

namespace holdfast::gc {
namespace {

struct Found {
  std::string name;
  std::string star;
};

Result<std::vector<Found>> find(const os::Dir& dir, const std::string& pattern) {
  std::vector<Found> found;
  HF_TRY(dir.each_entry([&](std::string_view entry, os::FileType) {
    // holdfast's own, which it moves and removes itself.
    if (entry.starts_with(".holdfast-") || os::is_stage_name(entry)) return os::Visit::kContinue;
    auto star = match(pattern, entry);
    if (star) found.push_back({.name = std::string(entry), .star = *std::move(star)});
    return os::Visit::kContinue;
  }));
  std::ranges::sort(found, {}, &Found::name);
  return found;
}

// The daemon is asked once; the ids differ.
Result<std::optional<Authority>> describe(const AdoptRequest& order,
                                          const std::vector<Found>& found) {
  if (!order.authority || found.empty()) return std::nullopt;
  const AuthorityName name =
      HF_TRY(parse_authority(expand(*order.authority, found.front().name, found.front().star)));
  if (name.kind == AuthorityKind::kProcess) {
    return fail({.code = ErrorCode::kUsage,
                 .op = "adopt with the authority",
                 .subject = *order.authority,
                 .cause = "bad-authority",
                 .detail = "a process does not follow from the name of a directory"});
  }
  Authority authority = HF_TRY(authority::describe(name, order.timeout));
  authority.full_id.clear();
  return std::optional(std::move(authority));
}

// One that is on its way: what it is to be recorded as, and how.
struct Prepared {
  const Found* found = nullptr;
  WorkspaceRecord record{};
  std::optional<Id128> old_id{};
  std::int64_t birth_ns = 0;
  // Of a record that is there, whose directory was made anew. It gets a new id, and its new entry
  // before that; its old one goes afterwards. So whenever somebody dies over it, the record has an
  // entry that agrees with it.
  std::optional<session::WorkspaceHold> renewed{};
};

class Adopter {
 public:
  Adopter(const Services& services, const AdoptRequest& order, const os::Dir& dir,
          const std::optional<Authority>& authority)
      : services_(services), order_(order), dir_(dir), authority_(authority) {}

  // All entries of the list first, then one look at all of it: of two who adopt at once, at least
  // one sees the other (session/workspace/outside_claims.h).
  Result<Adopted> adopt(const std::vector<Found>& found) {
    std::vector<Prepared> all;
    for (const Found& one : found) {
      if (services_.stop.raised()) break;
      auto prepared = prepare(one);
      if (!prepared) fail_one(one.name, prepared.error().cause);
      if (prepared && *prepared) all.push_back(**std::move(prepared));
    }
    if (all.empty()) return std::move(adopted_);
    const auto claims = session::OutsideClaims::read(services_.sessions);
    for (Prepared& one : all) {
      const auto done = claims ? publish(one, *claims) : Result<>(fail(claims.error()));
      const bool is_done = done || done.error().code == ErrorCode::kNotDurable;
      if (is_done) adopted_.names.push_back(one.record.name);
      if (!is_done) fail_one(one.record.name, done.error().cause);
      if (order_.only_look) continue;
      std::optional<Id128> outdated = one.old_id;
      if (!is_done) outdated = one.record.id;
      // Where that fails, it is an entry that no record is about, which gc clears away.
      if (outdated) {
        [[maybe_unused]] const auto removed =
            session::remove_outside(services_.sessions, *outdated);
      }
    }
    return std::move(adopted_);
  }

 private:
  // nullopt: there is nothing to do.
  Result<std::optional<Prepared>> prepare(const Found& found) {
    const os::SafeName name = HF_TRY(os::SafeName::make(found.name));
    const auto info = HF_TRY(dir_.info(name));
    if (!info || info->type != os::FileType::kDirectory) return std::nullopt;
    const os::Dir directory = HF_TRY(dir_.open_dir(name));
    Prepared one;
    one.found = &found;
    const std::string path = join_path(order_.directory, found.name);
    const auto known = HF_TRY(session::read_workspace(services_.sessions, found.name));
    if (known && known->outside && known->directory == path) {
      one.renewed = HF_TRY(to_renew(*known, directory));
      if (!one.renewed) {
        ++adopted_.known;
        if (!order_.only_look) HF_TRY(mark_if_none(directory, known->id));
        return std::nullopt;
      }
      one.record = one.renewed->record();
      one.old_id = one.record.id;
      one.record.state = WorkspaceState::kReady;
      one.record.ended.reset();
      one.record.attached.clear();
    } else if (known) {
      return fail({.code = ErrorCode::kBusy, .cause = cause::kNameTaken});
    }
    one.record.id = HF_TRY(os::random_id());
    HF_TRY(check_nobodys(services_.sessions, directory));
    HF_TRY(fill(one, path, directory));
    if (order_.only_look) return one;
    HF_TRY(session::write_outside(services_.sessions, {.id = one.record.id,
                                                       .name = one.record.name,
                                                       .directory = one.record.directory,
                                                       .device = one.record.device,
                                                       .inode = one.record.inode,
                                                       .birth_ns = one.birth_ns}));
    return one;
  }

  // An older holdfast adopted it without one.
  Result<> mark_if_none(const os::Dir& directory, const Id128& id) {
    if (HF_TRY(os::mark_of(directory))) return {};
    HF_TRY(session::mark_owner(services_.sessions, directory, id));
    return {};
  }

  // What lies in a home of holdfast, or has a workspace's record in it, is that workspace's.
  static Result<> check_nobodys(const session::SessionStore& sessions, const os::Dir& directory) {
    for (const os::NameLiteral own : {session::workspace_record_name(), session::record_name()}) {
      if (HF_TRY(directory.id_of(own))) {
        return fail({.code = ErrorCode::kRefused, .cause = "holds-another-workspace"});
      }
    }
    if (HF_TRY(session::lies_in_some_home(directory))) {
      return fail({.code = ErrorCode::kRefused, .cause = "inside-home"});
    }
    if (!HF_TRY(session::lies_in_another_homes(sessions, directory))) return {};
    return fail({.code = ErrorCode::kRefused, .cause = "other-home"});
  }

  // An adopted directory that its harness removed and made again has the same path and is another:
  // gc would say `replaced` of it for ever. nullopt: it is the same, or somebody works in it.
  Result<std::optional<session::WorkspaceHold>> to_renew(const WorkspaceRecord& known,
                                                         const os::Dir& directory) {
    const auto entry = HF_TRY(session::confirmed_outside(services_.sessions, known));
    if (!entry) return fail({.code = ErrorCode::kRefused, .cause = "not-confirmed"});
    if (!known.adopted || HF_TRY(session::is_directory_of(*entry, directory))) return std::nullopt;
    // A clean-up died over the old one: it goes on with it, or brings it back, before there is
    // another.
    if (HF_TRY(where_is(HF_TRY(open_outside(*entry)))) == Lies::kInTrash) {
      return fail({.code = ErrorCode::kBusy, .cause = "in-the-trash"});
    }
    auto hold =
        HF_TRY(session::WorkspaceHold::take(services_.sessions, known.name, Duration::zero()));
    if (!hold || hold->record() != known) return std::nullopt;
    if (!session::attached_now(known).there.empty()) return std::nullopt;
    if (HF_TRY(session::BelowNow::look(hold->dir())).anybody()) return std::nullopt;
    return hold;
  }

  Result<> fill(Prepared& one, const std::string& path, const os::Dir& directory) {
    WorkspaceRecord& record = one.record;
    const os::FileId id = HF_TRY(directory.info()).id;
    one.birth_ns = HF_TRY(os::birth_time_of(directory));
    if (one.birth_ns == 0) return fail({.code = ErrorCode::kRefused, .cause = "no-birth-time"});
    record.name = one.found->name;
    record.directory = path;
    record.outside = true;
    record.adopted = true;
    record.device = id.device;
    record.inode = id.inode;
    record.created = services_.clock.wall();
    record.born = HF_TRY(session::boot_moment_now());
    record.renewed = record.born;
    if (!authority_) return {};
    const AuthorityName named =
        HF_TRY(parse_authority(expand(*order_.authority, one.found->name, one.found->star)));
    record.authority = *authority_;
    record.authority->id = named.id;
    return {};
  }

  Result<> publish(Prepared& one, const session::OutsideClaims& claims) {
    const os::Dir directory = HF_TRY(dir_.open_dir(HF_TRY(os::SafeName::make(one.found->name))));
    if (HF_TRY(claims.other_at(directory, one.record.id))) {
      return fail({.code = ErrorCode::kRefused, .cause = "holds-another-workspace"});
    }
    if (order_.only_look) return {};
    if (HF_TRY(session::mark_owner(services_.sessions, directory, one.record.id)) ==
        os::Marked::kNotOffered) {
      adopted_.unmarked.push_back(one.record.name);
    }
    if (one.renewed) return one.renewed->write(one.record, os::Durability::kFull);
    return session::publish_workspace_record(services_.sessions, one.record);
  }

  void fail_one(const std::string& name, const std::string& reason) {
    adopted_.failed.push_back({.name = name, .reason = reason});
  }

  const Services& services_;
  const AdoptRequest& order_;
  const os::Dir& dir_;
  const std::optional<Authority>& authority_;
  Adopted adopted_;
};

}  // namespace

Result<Adopted> adopt(const Services& services, const AdoptRequest& order) {
  const os::Dir dir = HF_TRY(os::Dir::open(order.directory));
  const std::vector<Found> found = HF_TRY(find(dir, order.pattern));
  const auto authority = HF_TRY(describe(order, found));
  Adopted adopted = HF_TRY(Adopter(services, order, dir, authority).adopt(found));
  adopted.matched = found.size();
  return adopted;
}

}  // namespace holdfast::gc
