// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleavings (docs/design/011-workspaces.md has all of them):
//
// Two make the same name at once. Each fills a stage of its own; the kernel lets one rename
// succeed. A look before would only make the loser's way shorter, and is made for nothing else.
//
// We die between the rename to the outside path and the record that says "ready". The path then has
// a directory whose record says "reserved". Its device and inode are in the reservation, so that
// whoever cleans up can tell our directory from one that somebody made there since.
//
// The path is taken: the reservation is taken back under the lock that we hold since before it had
// its name; so nobody has changed or collected it meanwhile, and it is moved out of sight in one
// step before it is taken apart.
#include "session/workspace/workspace_new.h"

#include <algorithm>
#include <array>

#include "base/cause.h"
#include "base/path_text.h"
#include "file/tree/copy_tree.h"
#include "os/dir/dir_metadata.h"
#include "os/machine/random.h"
#include "os/path/path.h"
#include "session/record/layout.h"
#include "session/record/own_file.h"
#include "session/workspace/outside.h"
#include "session/workspace/outside_claims.h"
#include "session/workspace/workspace.h"
#include "session/workspace/workspace_stage.h"

namespace holdfast::session {
namespace {

constexpr std::string_view kOp = "make the workspace";
constexpr std::string_view kTrash = trash_dir_name().text();
// Without 0 and o, 1, l and i.
constexpr std::string_view kNameCharacters = "23456789abcdefghjkmnpqrstuvwxyz";
constexpr std::array<std::size_t, 4> kNameLengths{4, 4, 6, 10};
constexpr int kTriesPerLength = 8;

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

Result<std::string> made_up(const std::string& prefix, std::size_t length) {
  // 248 is the largest multiple of 31 in a byte: each character is equally likely.
  const std::size_t fair = 256 / kNameCharacters.size() * kNameCharacters.size();
  std::string name = prefix + "-";
  const std::size_t size = name.size() + length;
  while (name.size() < size) {
    for (const std::uint8_t byte : HF_TRY(os::random_id()).bytes) {
      if (byte < fair && name.size() < size) name += kNameCharacters[byte % kNameCharacters.size()];
    }
  }
  return name;
}

std::string what_is_there(const SessionStore& store, std::string_view name) {
  const auto dir = store.find(name);
  if (!dir) return "what has the name is no directory of a workspace (" + dir.error().cause + ")";
  if (!*dir) return "it was taken, and is gone again; try once more";
  const auto record = read_workspace((*dir)->dir(), name);
  if (!record)
    return "it is a workspace whose record cannot be read (" + record.error().cause + ")";
  if (*record) {
    return "it is a workspace already (" + std::string(to_text((*record)->state)) + ")";
  }
  const auto run = (*dir)->read();
  if (run && !*run) return "there is a directory of this name without a record";
  return "it is a session (a named run) already";
}

Error name_taken(const SessionStore& store, std::string_view name) {
  return {.code = ErrorCode::kBusy,
          .op = std::string(kOp),
          .subject = quoted(name),
          .cause = cause::kNameTaken,
          .detail = what_is_there(store, name) + "; nothing was made"};
}

Error path_taken(const std::string& path) {
  return {.code = ErrorCode::kBusy,
          .op = std::string(kOp),
          .subject = path,
          .cause = cause::kPathTaken,
          .detail = "something is there already; it was not touched, and nothing was made"};
}

// ---- the outside place ------------------------------------------------------------------------

struct Place {
  os::Dir parent;
  os::SafeName base;
  std::string path;
};

std::unexpected<Error> unsafe_place(const std::string& path, std::string_view cause,
                                    std::string_view why) {
  return fail({.code = ErrorCode::kRefused,
               .op = std::string(kOp),
               .subject = path,
               .cause = std::string(cause),
               .detail = std::string(why) + "; nothing was made"});
}

std::string path_for(std::string pattern, const os::SafeName& name) {
  constexpr std::string_view kPlaceholder = "{name}";
  for (std::size_t at = 0; (at = pattern.find(kPlaceholder, at)) != pattern.npos;) {
    pattern.replace(at, kPlaceholder.size(), name.str());
    at += name.str().size();
  }
  return std::string(without_trailing_separators(pattern));
}

// The home is ours to arrange: a directory in it that no record of ours is in would be nobody's.
Result<bool> lies_in_home(const os::Dir& parent, const SessionStore& store) {
  const std::string sessions = HF_TRY(os::real_path_of(store.dir()));
  return is_at_or_below(HF_TRY(os::real_path_of(parent)), parent_path(sessions));
}

bool has_component(std::string_view path, std::string_view name) {
  for (; !path.empty() && !is_root_path(path); path = parent_path(path)) {
    if (last_component(path) == name) return true;
  }
  return false;
}

Result<Place> place_for(const std::string& pattern, const os::SafeName& name,
                        const SessionStore& store) {
  const std::string path = path_for(pattern, name);
  if (!is_absolute_path(path) || is_root_path(path)) {
    return unsafe_place(path, "unsafe-name", "it is not the absolute path of a new directory");
  }
  os::SafeName base = HF_TRY(os::SafeName::make(last_component(path)));
  if (base.str() == kTrash || os::is_stage_name(base.str())) {
    return unsafe_place(path, "reserved-name", "holdfast itself makes directories of this name");
  }
  auto parent = os::Dir::open(std::string(parent_path(path)));
  if (!parent) {
    Error error = std::move(parent).error();
    if (error.code == ErrorCode::kNotFound) error.cause = "no-parent";
    error.detail += "; the directory that it is to be made in must exist, and nothing was made";
    return fail(std::move(error));
  }
  if (HF_TRY(lies_in_home(*parent, store))) {
    return unsafe_place(path, "inside-home", "it lies in holdfast's own home");
  }
  if (HF_TRY(lies_in_some_home(*parent))) {
    return unsafe_place(path, "inside-home", "it lies in another home of holdfast");
  }
  if (has_component(HF_TRY(os::real_path_of(*parent)), kTrash)) {
    return unsafe_place(path, "reserved-name", "it lies in the trash, which `holdfast gc` empties");
  }
  return Place{.parent = *std::move(parent), .base = std::move(base), .path = path};
}

// ---- making -----------------------------------------------------------------------------------

class Maker {
 public:
  Maker(const SessionStore& store, const WorkspaceRequest& order, const Clock& clock)
      : store_(store), order_(order), clock_(clock) {}

  Result<WorkspaceMade> make() {
    if (order_.from != nullptr) {
      const bool inside = !order_.directory;
      plan_ = HF_TRY(file::plan_tree(*order_.from, [inside](std::string_view name) {
        return name == kTrash || os::is_stage_name(name) || (inside && is_session_file(name));
      }));
    }
    if (order_.name) return make_one(*order_.name);
    for (const std::size_t length : kNameLengths) {
      for (int i = 0; i < kTriesPerLength; ++i) {
        auto made = make_one(HF_TRY(made_up(order_.prefix, length)));
        if (made || !another_name_helps(made.error())) return made;
        last_ = std::move(made).error();
      }
    }
    return fail(*std::move(last_));
  }

 private:
  [[nodiscard]] bool another_name_helps(const Error& error) const {
    if (error.cause == cause::kNameTaken) return true;
    return error.cause == cause::kPathTaken &&
           order_.directory->find("{name}") != std::string::npos;
  }

  Result<WorkspaceMade> make_one(const std::string& name) {
    const os::SafeName file_name = HF_TRY(file_name_of(name));
    WorkspaceMade made{.record = HF_TRY(new_record(name)), .token = {}, .not_durable = {}};
    made.token = made.record.attached.front().token;
    if (!order_.directory) {
      HF_TRY(make_inside(file_name, made));
      return made;
    }
    const Place place = HF_TRY(place_for(*order_.directory, file_name, store_));
    made.record.directory = place.path;
    made.record.outside = true;
    made.record.state = WorkspaceState::kReserved;
    // The rename decides; this spares the reservation.
    if (HF_TRY(place.parent.id_of(place.base))) return fail(path_taken(place.path));
    HF_TRY(make_outside(file_name, place, made));
    return made;
  }

  Result<WorkspaceRecord> new_record(const std::string& name) const {
    WorkspaceRecord record{.name = name, .id = HF_TRY(os::random_id())};
    record.created = clock_.wall();
    record.born = HF_TRY(boot_moment_now());
    record.renewed = record.born;
    record.authority = order_.authority;
    record.resume_id = order_.resume_id;
    record.ttl = order_.ttl;
    record.fields = order_.fields;
    record.attached.push_back({.token = HF_TRY(os::random_id()),
                               .process = order_.owner,
                               .guest = false,
                               .since = record.created,
                               .what = order_.what});
    return record;
  }

  // The stage is filled, and the name taken.
  Result<> take_name(WorkspaceStage& stage, const os::SafeName& name, bool fill,
                     WorkspaceMade& made) const {
    if (fill && plan_) {
      HF_TRY(file::copy_tree(*order_.from, *plan_, stage.dir(), os::Durability::kFull));
    }
    HF_TRY(stage.write(made.record));
    HF_TRY(stage.dir().sync());
    if (HF_TRY(stage.publish(name)) == os::Placed::kNameTaken) {
      return fail(name_taken(store_, made.record.name));
    }
    // In the home nothing but the name is on its way to the disk: workspace_new.h says what that
    // means.
    if (made.record.outside) note_sync(store_.dir().sync(), made);
    return {};
  }

  static void note_sync(const Result<>& synced, WorkspaceMade& made) {
    if (!synced && !made.not_durable) made.not_durable = not_durable(synced.error());
  }

  Result<> make_inside(const os::SafeName& name, WorkspaceMade& made) const {
    auto [stage, lock] = HF_TRY(WorkspaceStage::make_locked(store_.dir(), made.record.id, plan()));
    return take_name(stage, name, true, made);
  }

  Result<> make_outside(const os::SafeName& name, const Place& place, WorkspaceMade& made) const {
    auto stage = HF_TRY(WorkspaceStage::make(place.parent, made.record.id, plan()));
    const os::FileId id = HF_TRY(stage.dir().info()).id;
    made.record.device = id.device;
    made.record.inode = id.inode;
    auto reserved = claim_and_reserve(name, stage, place, made);
    if (reserved) return {};
    // What could not be taken back keeps its entry: it says whose the directory is.
    const auto left = read_workspace(store_, made.record.name);
    if (left && (!*left || (*left)->id != made.record.id)) {
      [[maybe_unused]] const auto removed = remove_outside(store_, made.record.id);
    }
    return reserved;
  }

  // The entry before the record: a record without one is believed by nobody.
  Result<> claim_and_reserve(const os::SafeName& name, WorkspaceStage& stage, const Place& place,
                             WorkspaceMade& made) const {
    const std::int64_t birth = HF_TRY(os::birth_time_of(stage.dir()));
    // Its number alone is given out again as soon as somebody removes it.
    if (birth == 0) {
      return unsafe_place(
          place.path, "no-birth-time",
          "its file system, or the kernel, does not tell when a directory was made, "
          "so it could not be told from one that somebody puts in its place");
    }
    HF_TRY(write_outside(store_, {.id = made.record.id,
                                  .name = made.record.name,
                                  .directory = made.record.directory,
                                  .device = made.record.device,
                                  .inode = made.record.inode,
                                  .birth_ns = birth}));
    HF_TRY(mark_owner(store_, stage.dir(), made.record.id));
    // Looked for after our own entry is there: outside_claims.h says why.
    const auto claims = HF_TRY(OutsideClaims::read(store_));
    if (const auto other = HF_TRY(claims.other_above(place.parent, made.record.id))) {
      return unsafe_place(place.path, "inside-another-workspace",
                          "it lies in the directory of " + *other + ", and would go with it");
    }
    auto [reservation, lock] =
        HF_TRY(WorkspaceStage::make_locked(store_.dir(), made.record.id, nullptr));
    HF_TRY(take_name(reservation, name, false, made));
    auto placed = put_outside(reservation.dir(), stage, place, made);
    if (placed) return {};
    Error error = std::move(placed).error();
    if (!reservation.take_back(name)) {
      error.detail += "; its name stays reserved until `holdfast gc` finds that nobody needs it";
    }
    return fail(std::move(error));
  }

  Result<> put_outside(const os::Dir& record_dir, WorkspaceStage& stage, const Place& place,
                       WorkspaceMade& made) const {
    if (plan_) {
      HF_TRY(file::copy_tree(*order_.from, *plan_, stage.dir(), os::Durability::kFull));
      HF_TRY(stage.dir().sync());
    }
    if (HF_TRY(stage.publish(place.base)) == os::Placed::kNameTaken) {
      return fail(path_taken(place.path));
    }
    note_sync(place.parent.sync(), made);
    made.record.state = WorkspaceState::kReady;
    ++made.record.change;
    // The lock is ours since before the record had a name.
    auto ready = replace_own_file(record_dir, workspace_record_name(),
                                  encode_workspace_record(made.record), os::Durability::kFull);
    if (!ready && ready.error().code == ErrorCode::kNotDurable) {
      made.not_durable = std::move(ready).error();
      return {};
    }
    if (ready || stage.take_back(place.base)) return ready;
    Error error = std::move(ready).error();
    error.detail += "; its directory is there, and could not be removed again";
    return fail(std::move(error));
  }

  [[nodiscard]] const file::TreePlan* plan() const { return plan_ ? &*plan_ : nullptr; }

  const SessionStore& store_;
  const WorkspaceRequest& order_;
  const Clock& clock_;
  std::optional<file::TreePlan> plan_;
  std::optional<Error> last_;
};

}  // namespace

Result<WorkspaceMade> make_workspace(const SessionStore& store, const WorkspaceRequest& order,
                                     const Clock& clock) {
  return Maker(store, order, clock).make();
}

Result<> publish_workspace_record(const SessionStore& store, const WorkspaceRecord& record) {
  const os::SafeName name = HF_TRY(file_name_of(record.name));
  auto [stage, lock] = HF_TRY(WorkspaceStage::make_locked(store.dir(), record.id, nullptr));
  HF_TRY(stage.write(record));
  HF_TRY(stage.dir().sync());
  if (HF_TRY(stage.publish(name)) == os::Placed::kNameTaken) {
    return fail(name_taken(store, record.name));
  }
  const auto synced = store.dir().sync();
  if (!synced) return fail(not_durable(synced.error()));
  return {};
}

Result<std::string> directory_of(const SessionStore& store, const WorkspaceRecord& record) {
  if (record.outside) {
    if (HF_TRY(confirmed_outside(store, record))) return record.directory;
    return fail({.code = ErrorCode::kRefused,
                 .op = "use the directory of the workspace",
                 .subject = quoted(record.name),
                 .cause = "not-confirmed",
                 .detail = "its record names a directory outside of the home that the home's own "
                           "list does not know as this workspace's; it is not used"});
  }
  return store.dir().path_of(HF_TRY(file_name_of(record.name)));
}

bool is_session_file(std::string_view name) {
  const std::array exact{workspace_record_name(), workspace_lock_name(), record_name(),
                         control_name(),          spare_name(),          runs_name()};
  return name.starts_with(log_name().text()) || name.starts_with(index_name().text()) ||
         std::ranges::any_of(exact, [&](os::NameLiteral own) { return own.text() == name; });
}

}  // namespace holdfast::session
