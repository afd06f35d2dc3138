// SPDX-License-Identifier: Apache-2.0
#include "lock/ledger/place.h"

#include "base/cause.h"
#include "base/path_text.h"
#include "format/text/name_escape.h"
#include "lock/grant/backend.h"
#include "os/file/file_system.h"
#include "os/lock/lock_path.h"
#include "os/path/path.h"

namespace holdfast::lock {
namespace {

constexpr std::string_view kNamedSuffix = ".lock";
constexpr std::string_view kSidecarSuffix = ".lock";
constexpr std::string_view kHoldSuffix = ".hold";

// `trusted`, or why not.
Result<bool> check_file_system(const os::Dir& dir, const std::string& label, AnyFileSystem any,
                               std::string& name) {
  const os::FileSystem found = HF_TRY(os::file_system_of(dir));
  name = found.name;
  if (found.kind == os::FileSystemKind::kLocal || found.kind == os::FileSystemKind::kMemory)
    return true;
  if (any == AnyFileSystem::kAllow) return false;
  return fail({.code = ErrorCode::kOsRefused,
               .op = "lock",
               .subject = label,
               .cause = "unsupported-fs",
               .detail = dir.path() + " is on " + found.name +
                         ", where a lock may be given to two at once; nothing was locked. "
                         "--allow-fs allows it for one machine"});
}

Result<os::SafeName> beside(const file::Target& target, std::string_view suffix) {
  auto name = os::SafeName::make("." + target.name.str() + std::string(suffix));
  if (name) return name;
  return fail({.code = ErrorCode::kUsage,
               .op = "lock",
               .subject = target.path,
               .cause = "name-too-long",
               .detail = "the name of its lock, `.NAME.lock`, would be longer than 255 bytes"});
}

}  // namespace

Result<LocksDir> look_at_locks_dir(const os::Dir& locks, AnyFileSystem any) {
  LocksDir found;
  found.id = HF_TRY(locks.info()).id;
  found.trusted = HF_TRY(check_file_system(locks, locks.path(), any, found.file_system));
  found.real_path = HF_TRY(os::real_path_of(locks));
  return found;
}

LockId lock_called(std::string name) {
  const bool path = is_lock_path(name);
  return {.kind = path ? LockId::Kind::kPath : LockId::Kind::kNamed, .text = std::move(name)};
}

namespace {

Result<Place> ledger_of_path(std::shared_ptr<const os::Dir> locks, const LocksDir& known,
                             std::string path) {
  const std::string escaped = HF_TRY(escape_lock_path(path, platform_name_rules()));
  const os::SafeName ledger = HF_TRY(os::SafeName::make(escaped + std::string(kNamedSuffix)));
  return Place{.kind = ChainEntry::Kind::kNamed,
               .label = std::move(path),
               .dir = std::move(locks),
               .ledger = ledger,
               .sidecar = std::nullopt,
               .is_path = true,
               .ledger_path = join_path(known.real_path, ledger.str()),
               .file_system = known.file_system,
               .trusted = known.trusted};
}

// A directory may be the root of another file system than the one that it lies in.
Result<> judge_lock_path(const os::LockPath& found, AnyFileSystem any, Place& place) {
  const auto info = HF_TRY(found.dir.info(found.name));
  std::optional<os::Dir> inside;
  if (info && info->type == os::FileType::kDirectory) {
    auto opened = os::Dir::open_to_search(found.real_path);
    if (opened) inside.emplace(std::move(*opened));
  }
  std::string name;
  if (HF_TRY(check_file_system(inside ? *inside : found.dir, place.label, any, name))) return {};
  place.trusted = false;
  place.file_system = std::move(name);
  return {};
}

void put_sidecar(os::LockPath found, Place& place) {
  place.sidecar = std::move(found.name);
  place.sidecar_dir = std::make_shared<const os::Dir>(std::move(found.dir));
}

}  // namespace

Result<Place> path_place(std::shared_ptr<const os::Dir> locks, const LocksDir& known,
                         const std::string& path, AnyFileSystem any) {
  os::LockPath found = HF_TRY(os::find_lock_path(path));
  Place place = HF_TRY(ledger_of_path(std::move(locks), known, found.real_path));
  HF_TRY(judge_lock_path(found, any, place));
  put_sidecar(std::move(found), place);
  return place;
}

namespace {

// Where the path leads elsewhere by now, the lock of this record is nobody's flock any more.
Result<Place> place_of_recorded_path(std::shared_ptr<const os::Dir> locks, const LocksDir& known,
                                     const std::string& path) {
  Place place = HF_TRY(ledger_of_path(std::move(locks), known, path));
  auto found = os::find_lock_path(path);
  if (!found) {
    const ErrorCode code = found.error().code;
    if (code == ErrorCode::kNotFound || code == ErrorCode::kRefused) return place;
    return fail(std::move(found).error());
  }
  if (found->real_path != path || !HF_TRY(found->dir.id_of(found->name))) return place;
  put_sidecar(std::move(*found), place);
  return place;
}

}  // namespace

Result<Place> named_place(std::shared_ptr<const os::Dir> locks, const LocksDir& known,
                          std::string_view name) {
  if (name.starts_with('/'))
    return place_of_recorded_path(std::move(locks), known, std::string(name));
  const std::string escaped = HF_TRY(escape_name(name, platform_name_rules()));
  const os::SafeName ledger = HF_TRY(os::SafeName::make(escaped + std::string(kNamedSuffix)));
  return Place{.kind = ChainEntry::Kind::kNamed,
               .label = std::string(name),
               .dir = std::move(locks),
               .ledger = ledger,
               .sidecar = std::nullopt,
               .ledger_path = join_path(known.real_path, ledger.str()),
               .file_system = known.file_system,
               .trusted = known.trusted};
}

Result<Place> named_place(os::Dir locks, std::string_view name, AnyFileSystem any) {
  const LocksDir known = HF_TRY(look_at_locks_dir(locks, any));
  return named_place(std::make_shared<const os::Dir>(std::move(locks)), known, name);
}

Result<Place> file_place(const std::string& path, AnyFileSystem any) {
  return file_place(HF_TRY(file::locate(path, file::Links::kFollow)), any);
}

Result<Place> file_place(file::Target target, AnyFileSystem any) {
  const os::SafeName sidecar = HF_TRY(beside(target, kSidecarSuffix));
  const os::SafeName ledger = HF_TRY(beside(target, kHoldSuffix));
  const std::string dir = HF_TRY(os::real_path_of(target.dir));
  std::string label = "file:" + join_path(dir, target.name.str());
  std::string fs;
  const bool trusted = HF_TRY(check_file_system(target.dir, label, any, fs));
  const auto beside_it = std::make_shared<const os::Dir>(std::move(target.dir));
  return Place{.kind = ChainEntry::Kind::kFile,
               .label = std::move(label),
               .dir = beside_it,
               .ledger = ledger,
               .sidecar = sidecar,
               .sidecar_dir = beside_it,
               .ledger_path = join_path(dir, ledger.str()),
               .file_system = std::move(fs),
               .trusted = trusted};
}

Result<std::string> file_place_label(const file::Target& target) {
  return "file:" + join_path(HF_TRY(os::real_path_of(target.dir)), target.name.str());
}

bool has_lock(const file::Target& target) {
  for (const std::string_view suffix : {kSidecarSuffix, kHoldSuffix}) {
    const auto name = beside(target, suffix);
    if (!name) continue;
    const auto found = target.dir.id_of(*name);
    if (!found || *found) return true;
  }
  return false;
}

Result<Place> place_of_ledger(ChainEntry::Kind kind, const std::string& ledger_path) {
  const auto bad = [&] {
    return fail({.code = ErrorCode::kCannotTell,
                 .op = "find the lock at",
                 .subject = ledger_path,
                 .cause = cause::kNoLedger,
                 .detail = "this is not the path of a lock"});
  };
  if (!is_absolute_path(ledger_path)) return bad();
  const std::string dir_path(parent_path(ledger_path));
  const std::string name(last_component(ledger_path));
  if (kind == ChainEntry::Kind::kNamed) {
    if (!name.ends_with(kNamedSuffix)) return bad();
    const auto raw = unescape_lock(
        std::string_view(name).substr(0, name.size() - kNamedSuffix.size()), platform_name_rules());
    if (!raw) return bad();
    return named_place(HF_TRY(os::Dir::open(dir_path)), *raw, AnyFileSystem::kAllow);
  }
  if (!name.starts_with('.') || !name.ends_with(kHoldSuffix) || name.size() < 7) return bad();
  const std::string base = name.substr(1, name.size() - 1 - kHoldSuffix.size());
  // The file may be a link by now, or have become one; its ledger is where the path says.
  return file_place(HF_TRY(file::locate(join_path(dir_path, base), file::Links::kReplace)),
                    AnyFileSystem::kAllow);
}

}  // namespace holdfast::lock
