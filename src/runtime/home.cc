// SPDX-License-Identifier: Apache-2.0
//
// Making a home.
//
// The hostile cases: two processes create it at once; one dies half-way; the disk is full; the name
// is a link planted by somebody else; the directory exists and is full of the user's own things.
//
// The invariant: a directory is a home exactly when it holds a readable `format` file, and that
// file appears whole or not at all (os::StagedFile). So there is no moment at which a half-made
// home can be taken for a home; an empty directory is simply "not yet", and whoever comes next
// finishes it. Nobody decides by looking first: mkdir and the exclusive publication decide, and the
// loser reads what the winner made.
#include "runtime/home.h"

#include <optional>

#include "base/cause.h"
#include "base/path_text.h"
#include "os/dir/dir.h"
#include "os/file/staged_file.h"

namespace holdfast {
namespace {

using os::operator""_name;
using os::Dir;
using os::Exposure;
using os::SafeName;

std::unexpected<Error> home_refused(const std::string& path, std::string_view cause,
                                    std::string_view detail) {
  return fail({.code = ErrorCode::kRefused,
               .op = "use the home",
               .subject = path,
               .cause = std::string(cause),
               .detail = std::string(detail)});
}

struct SplitPath {
  std::string parent;
  SafeName name;
};

Result<SplitPath> split(const std::string& path) {
  return SplitPath{.parent = std::string(parent_path(path)),
                   .name = HF_TRY(SafeName::make(last_component(path)))};
}

Result<Dir> open_or_make_parents(const std::string& path) {
  Result<Dir> dir = Dir::open_following_links(path);
  if (dir || dir.error().code != ErrorCode::kNotFound || is_root_path(path)) return dir;
  const SplitPath parts = HF_TRY(split(path));
  const Dir above = HF_TRY(open_or_make_parents(parts.parent));
  HF_TRY(above.make_dir(parts.name, kPrivateDir));
  HF_TRY(above.sync());
  return Dir::open_following_links(path);
}

bool is_typed(const HomeLocation& location) {
  return location.source == HomeLocation::Source::kOption ||
         location.source == HomeLocation::Source::kVariable;
}

// For a typed home: its parent must be there.
Result<Dir> open_existing_parent(const HomeLocation& location, const std::string& parent) {
  Result<Dir> dir = Dir::open_following_links(parent);
  if (dir || dir.error().code != ErrorCode::kNotFound) return dir;
  return fail({.code = ErrorCode::kNotFound,
               .op = "use the home",
               .subject = location.path,
               .cause = "no-parent",
               .detail = "the directory " + parent +
                         " does not exist; create it first, or correct " +
                         std::string(to_text(location.source))});
}

// Opens HOME itself and turns the two refusals of Dir into sentences about homes.
Result<Dir> open_directory(const Dir& parent, const SafeName& name) {
  Result<Dir> dir = parent.open_dir(name);
  if (dir) return dir;
  const std::string path = parent.path_of(name);
  if (dir.error().cause == cause::kIsLink) {
    return home_refused(
        path, "home-is-link",
        "it is a symbolic link, and whoever can change the link could move your locks; name "
        "the directory that it points to");
  }
  if (dir.error().cause == cause::kNotADirectory) {
    return home_refused(path, "home-not-a-directory", "it is not a directory; name another path");
  }
  return dir;
}

Result<> check_exposure(const Dir& dir) {
  const Exposure exposure = HF_TRY(dir.exposure());
  if (exposure.owner != Exposure::Owner::kSelf) {
    return home_refused(
        dir.path(), "home-foreign-owner",
        "it belongs to another user; run as its owner, or name a home of your own with "
        "--home or HOLDFAST_HOME");
  }
  if (exposure.others == Exposure::Others::kWrite) {
    return home_refused(
        dir.path(), "home-writable-by-others",
        "others may write to it; after making sure that nothing in it was tampered with, "
        "run: chmod 700 " +
            dir.path());
  }
  return {};
}

// nullopt: there is no format file.
Result<std::optional<HomeMarker>> read_marker(const Dir& dir) {
  std::optional<os::File> file = HF_TRY(dir.open_file("format"_name, os::Access::kRead));
  if (!file) return std::nullopt;
  // One byte more than any marker has: what is longer is damaged, as decoding it will say.
  const std::string bytes = HF_TRY(file->read_at(0, kMaxHomeMarkerBytes + 1));
  return HF_TRY(decode_home_marker(bytes, file->path()));
}

// Nothing in it but what a creation cut short by a crash leaves.
Result<> check_empty(const Dir& dir) {
  std::string other;
  HF_TRY(dir.each_entry([&](std::string_view name, os::FileType) {
    if (os::is_stage_name(name) || name == "format") return os::Visit::kContinue;
    other = name;
    return os::Visit::kStop;
  }));
  if (other.empty()) return {};
  return home_refused(dir.path(), "home-not-empty",
                      "it holds other things (such as '" + other +
                          "') and is not a holdfast home; name a new or empty directory");
}

Result<HomeMarker> write_marker(const Dir& dir, const Clock& clock) {
  os::StagedFile staged = HF_TRY(os::StagedFile::create(dir, kPrivateFile));
  HF_TRY(staged.write_all(encode_home_marker({.created = clock.wall()})));
  HF_TRY(staged.publish_new("format"_name));
  // Ours or that of a creator who was faster: what is on disk is what counts.
  const std::optional<HomeMarker> marker = HF_TRY(read_marker(dir));
  if (marker) return *marker;
  return fail(
      {.code = ErrorCode::kCannotTell,
       .op = "create the home",
       .subject = dir.path(),
       .cause = "home-removed",
       .detail = "somebody removes it while it is being made; nothing is known to be left"});
}

// The marker of a home; nullopt where a home may be made; refused where the directory is
// somebody's.
//
// Two looks, one after the other, of which neither is wrong alone: no marker, and then an entry
// that is not a marker. Between them a creator who was faster may have finished the home and used
// it: the entry is then the home's own. Whoever uses a home published its marker before, so a third
// look tells the two apart: an entry of the home's own has its marker beside it by then.
Result<std::optional<HomeMarker>> find_marker(const Dir& dir) {
  HF_TRY(check_exposure(dir));
  std::optional<HomeMarker> marker = HF_TRY(read_marker(dir));
  if (marker) return marker;
  const Result<> empty = check_empty(dir);
  if (empty) return std::nullopt;
  marker = HF_TRY(read_marker(dir));
  if (marker) return marker;
  return fail(empty.error());
}

Result<HomeMarker> complete(const Dir& dir, const Clock& clock) {
  const std::optional<HomeMarker> marker = HF_TRY(find_marker(dir));
  if (marker) return *marker;
  return write_marker(dir, clock);
}

SafeName name_of(HomePart part) {
  switch (part) {
    case HomePart::kLocks:
      return "locks"_name;
    case HomePart::kSessions:
      return "sessions"_name;
    case HomePart::kJournal:
      return "journal"_name;
    case HomePart::kOnce:
      return "once"_name;
    case HomePart::kLoops:
      return "loops"_name;
  }
  __builtin_unreachable();
}

}  // namespace

Result<std::optional<Home>> Home::find(const HomeLocation& location) {
  const SplitPath parts = HF_TRY(split(location.path));
  Result<Dir> parent = is_typed(location) ? open_existing_parent(location, parts.parent)
                                          : Dir::open_following_links(parts.parent);
  if (!parent && !is_typed(location) && parent.error().code == ErrorCode::kNotFound)
    return std::nullopt;
  if (!parent) return fail(parent.error());
  Result<Dir> dir = open_directory(*parent, parts.name);
  if (!dir && dir.error().code == ErrorCode::kNotFound) return std::nullopt;
  if (!dir) return fail(dir.error());
  const std::optional<HomeMarker> marker = HF_TRY(find_marker(*dir));
  if (!marker) return std::nullopt;
  return Home(std::move(*dir), *marker);
}

Result<Home> Home::open_or_create(const HomeLocation& location, const Clock& clock) {
  const SplitPath parts = HF_TRY(split(location.path));
  const Dir parent = HF_TRY(is_typed(location) ? open_existing_parent(location, parts.parent)
                                               : open_or_make_parents(parts.parent));
  const auto open_and_complete = [&]() -> Result<Home> {
    Dir dir = HF_TRY(open_directory(parent, parts.name));
    const HomeMarker marker = HF_TRY(complete(dir, clock));
    return Home(std::move(dir), marker);
  };

  Result<Home> found = open_and_complete();
  if (found || found.error().code != ErrorCode::kNotFound) return found;
  const os::Made made = HF_TRY(parent.make_dir(parts.name, kPrivateDir));
  Result<Home> home = open_and_complete();
  if (!home) {
    // Nothing half made: the directory goes again if we made it and it is still empty. rmdir
    // decides that in one step; a home that somebody else completed meanwhile is not empty and
    // stays.
    if (made == os::Made::kMade) static_cast<void>(parent.remove_dir(parts.name));
    return home;
  }
  const Result<> synced = parent.sync();
  if (!synced) return fail(not_durable(synced.error()));
  return home;
}

Result<Dir> Home::open_part(HomePart part) const {
  const SafeName name = name_of(part);
  HF_TRY(dir_.make_dir(name, kPrivateDir));
  Dir dir = HF_TRY(dir_.open_dir(name));
  HF_TRY(check_exposure(dir));
  return dir;
}

Result<std::optional<Dir>> Home::find_part(HomePart part) const {
  Result<Dir> dir = dir_.open_dir(name_of(part));
  if (!dir && dir.error().code == ErrorCode::kNotFound) return std::nullopt;
  if (!dir) return fail(std::move(dir).error());
  HF_TRY(check_exposure(*dir));
  return *std::move(dir);
}

}  // namespace holdfast
