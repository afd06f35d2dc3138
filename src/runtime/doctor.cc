// SPDX-License-Identifier: Apache-2.0
#include "runtime/doctor.h"

#include <array>
#include <optional>

#include "base/cause.h"
#include "base/path_text.h"
#include "base/units.h"
#include "file/replace/commit_lock.h"
#include "format/text/rfc3339.h"
#include "os/dir/dir.h"
#include "os/dir/dir_metadata.h"
#include "os/file/file_system.h"
#include "os/machine/real_clock.h"
#include "os/path/path.h"
#include "runtime/home.h"

namespace holdfast {
namespace {

using os::Dir;
using Verdict = Finding::Verdict;
using Findings = std::vector<Finding>;

constexpr std::uint64_t kLittleSpace = 16ULL << 20;

// A failed look: no answer, unless the failure is itself the finding (a refusal, damaged content).
Finding from_error(std::string_view check, const std::string& subject, const Error& error) {
  const bool is_finding = error.code == ErrorCode::kRefused || error.code == ErrorCode::kCorrupt ||
                          error.code == ErrorCode::kNotFound;
  return {.verdict = is_finding ? Verdict::kHazard : Verdict::kCannotTell,
          .check = std::string(check),
          .subject = subject,
          .says = to_sentence(error)};
}

Finding judge_file_system(const Dir& dir, const os::FileSystem& fs) {
  Finding finding{Verdict::kGood, "file-system", dir.path(), fs.name};
  switch (fs.kind) {
    case os::FileSystemKind::kLocal:
      finding.says += ": local, locks and syncs can be trusted";
      break;
    case os::FileSystemKind::kMemory:
      finding.verdict = Verdict::kNote;
      finding.says += ": in memory, nothing here survives a reboot";
      break;
    case os::FileSystemKind::kNetwork:
    case os::FileSystemKind::kUserSpace:
      finding.verdict = Verdict::kHazard;
      finding.says += ": locks here may be granted twice; use a local file system";
      break;
    case os::FileSystemKind::kUnknown:
      finding.verdict = Verdict::kCannotTell;
      finding.says += ": not a type that holdfast knows, so its locks are not known to hold";
      break;
  }
  return finding;
}

Finding judge_space(const Dir& dir, const os::FileSystem& fs) {
  if (!fs.free_bytes) {
    return {Verdict::kCannotTell, "space", dir.path(), "this file system does not count its space"};
  }
  const bool enough = *fs.free_bytes >= kLittleSpace;
  return {enough ? Verdict::kGood : Verdict::kHazard, "space", dir.path(),
          format_size(*fs.free_bytes) + " free" +
              (enough ? "" : ": too little for a journal; free some space")};
}

Finding judge_writing(const Dir& dir) {
  const auto may = os::check_may_create(dir);
  if (may) return {Verdict::kGood, "writing", dir.path(), "files can be made here"};
  const std::string& cause = may.error().cause;
  const bool told = cause == cause::kErofs || cause == cause::kEacces || cause == cause::kEperm;
  return {told ? Verdict::kHazard : Verdict::kCannotTell, "writing", dir.path(),
          to_sentence(may.error()) + "; nothing can be put on record here"};
}

void judge_place(Findings& all, const Dir& dir) {
  const auto fs = os::file_system_of(dir);
  if (!fs) {
    all.push_back(from_error("file-system", dir.path(), fs.error()));
    return;
  }
  all.push_back(judge_file_system(dir, *fs));
  all.push_back(judge_space(dir, *fs));
}

// What is wrong where others can put something else in place of what lies in `dir`; nullopt where
// nobody but its owner and root can.
Result<std::optional<std::string>> how_to_swap(const Dir& dir) {
  const os::Exposure exposure = HF_TRY(dir.exposure());
  if (exposure.owner == os::Exposure::Owner::kOther) {
    return "it belongs to another user, who can swap what is in it";
  }
  if (exposure.others_can_swap) {
    return "others may write to it and can swap what is in it";
  }
  return std::nullopt;
}

// The first directory above `path` that others could use against it; nullopt where there is none.
std::optional<Finding> weak_point_above(const std::string& path) {
  for (std::string place = path; !place.empty() && !is_root_path(place);) {
    place = std::string(parent_path(place));
    const std::string& above = place;
    const auto dir = Dir::open_following_links(above);
    if (!dir && dir.error().code == ErrorCode::kNotFound) continue;  // not made yet
    if (!dir) return from_error("above", above, dir.error());
    const auto fault = how_to_swap(*dir);
    if (!fault) return from_error("above", above, fault.error());
    if (*fault) return Finding{Verdict::kHazard, "above", above, **fault};
  }
  return std::nullopt;
}

// Both ways to `dir` count: the typed one, whose links could be turned elsewhere, and the real one.
Finding judge_above(const std::string& typed, const Dir& dir) {
  if (const auto weak = weak_point_above(typed)) return *weak;
  const auto real = os::real_path_of(dir);
  if (!real) return from_error("above", typed, real.error());
  if (const auto weak = weak_point_above(*real)) return *weak;
  return {Verdict::kGood, "above", typed, "nobody but you and root can swap a directory above it"};
}

Finding judge_privacy(const Dir& dir) {
  const auto exposure = dir.exposure();
  if (!exposure) return from_error("privacy", dir.path(), exposure.error());
  if (exposure->others == os::Exposure::Others::kNothing) {
    return {Verdict::kGood, "privacy", dir.path(), "nobody else can look into it"};
  }
  return {Verdict::kNote, "privacy", dir.path(),
          "others can look into it; if that is not meant, run: chmod 700 " + dir.path()};
}

Finding judge_tampering(const Dir& dir) {
  const auto fault = how_to_swap(dir);
  if (!fault) return from_error("tampering", dir.path(), fault.error());
  if (*fault) return {Verdict::kHazard, "tampering", dir.path(), **fault};
  return {Verdict::kGood, "tampering", dir.path(),
          "nobody but you and root can swap what is in it"};
}

// The nearest existing directory at or above `path`.
Result<Dir> nearest_existing(std::string path) {
  for (;;) {
    Result<Dir> dir = Dir::open_following_links(path);
    if (dir || dir.error().code != ErrorCode::kNotFound || is_root_path(path)) return dir;
    path = std::string(parent_path(path));
  }
}

std::string without_end_slashes(const std::string& path) {
  return std::string(without_trailing_separators(path));
}

// A crash in the middle of a commit leaves one; they do no harm but take room.
void judge_stages(Findings& all, const Dir& dir, Stages stages) {
  const WallTime now = os::RealClock().wall();
  constexpr Duration kWait = std::chrono::seconds(1);
  const auto count = stages == Stages::kRemove ? file::sweep_stages(dir, now, kWait)
                                               : file::count_stages(dir, now);
  if (!count) return all.push_back(from_error("leftovers", dir.path(), count.error()));
  if (count->old == 0) return;
  std::string says = std::to_string(count->old) + " temporary files of commits that were cut short";
  says += stages == Stages::kRemove ? ", " + std::to_string(count->removed) + " of them removed now"
                                    : "; `holdfast doctor --sweep` removes them";
  all.push_back({.verdict = Finding::Verdict::kNote,
                 .check = "leftovers",
                 .subject = dir.path(),
                 .says = std::move(says)});
}

}  // namespace

std::string_view to_text(Verdict verdict) {
  constexpr std::array<std::string_view, 4> kTexts{"good", "note", "hazard", "cannot-tell"};
  return kTexts[static_cast<std::size_t>(verdict)];
}

Findings examine_home(const HomeLocation& location) {
  const std::string from = "from " + std::string(to_text(location.source));
  Findings all;
  const auto found = Home::find(location);
  if (found && *found) {
    const Home& home = **found;
    all.push_back({Verdict::kGood, "home", location.path,
                   from + "; format " + std::to_string(HomeMarker::kVersion) + ", created " +
                       format_rfc3339(home.marker().created)});
    all.push_back(judge_privacy(home.dir()));
  } else if (found) {
    all.push_back({Verdict::kNote, "home", location.path,
                   from + "; not there yet, it is made when it is first needed"});
  } else {
    all.push_back(from_error("home", location.path, found.error()));
  }
  const auto place = nearest_existing(location.path);
  if (!place) {
    all.push_back(from_error("above", location.path, place.error()));
    return all;
  }
  judge_place(all, *place);
  all.push_back(judge_writing(*place));
  all.push_back(judge_above(location.path, *place));
  return all;
}

Findings examine_path(const std::string& path, Stages stages) {
  const auto from_here = os::absolute_from_here(without_end_slashes(path));
  if (!from_here) return {from_error("path", path, from_here.error())};
  std::string absolute = *from_here;
  auto dir = Dir::open_following_links(absolute);
  if (!dir && dir.error().cause == cause::kNotADirectory) {
    absolute = std::string(parent_path(absolute));
    dir = Dir::open_following_links(absolute);
  }
  if (!dir) return {from_error("path", path, dir.error())};
  Findings all;
  judge_place(all, *dir);
  all.push_back(judge_tampering(*dir));
  all.push_back(judge_above(absolute, *dir));
  judge_stages(all, *dir, stages);
  return all;
}

}  // namespace holdfast
