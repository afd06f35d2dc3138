// SPDX-License-Identifier: Apache-2.0
#include "runtime/doctor.h"

#include <array>

#include "base/size.h"
#include "format/rfc3339.h"
#include "os/dir.h"
#include "os/file_system.h"
#include "os/working_dir.h"
#include "runtime/home.h"

namespace holdfast {
namespace {

using os::Dir;
using Verdict = Finding::Verdict;
using Findings = std::vector<Finding>;

constexpr std::uint64_t kLittleSpace = 16ULL << 20;
constexpr std::uint32_t kSticky = 01000;

// A failed look: no answer, unless the failure is itself the finding (a refusal, damaged content).
Finding from_error(std::string_view check, const std::string& subject, const Error& error) {
  const bool is_finding = error.code == ErrorCode::kRefused || error.code == ErrorCode::kCorrupt ||
                          error.code == ErrorCode::kNotFound;
  return {.verdict = is_finding ? Verdict::kHazard : Verdict::kCannotTell,
          .check = std::string(check),
          .subject = subject,
          .says = to_sentence(error)};
}

Finding judge_file_system(const Dir& dir) {
  const auto fs = os::file_system_of(dir);
  if (!fs) return from_error("file-system", dir.path(), fs.error());
  Finding finding{
      .verdict = Verdict::kGood, .check = "file-system", .subject = dir.path(), .says = fs->name};
  switch (fs->kind) {
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

Finding judge_space(const Dir& dir) {
  const auto fs = os::file_system_of(dir);
  if (!fs) return from_error("space", dir.path(), fs.error());
  const bool enough = fs->free_bytes >= kLittleSpace;
  return {.verdict = enough ? Verdict::kGood : Verdict::kHazard,
          .check = "space",
          .subject = dir.path(),
          .says = format_size(fs->free_bytes) + " free" +
                  (enough ? "" : ": too little for a journal; free some space")};
}

// Whoever can write to a directory above can put another one in the home's place.
Finding judge_above(const std::string& path) {
  for (std::size_t slash = path.rfind('/'); slash != std::string::npos;
       slash = slash == 0 ? std::string::npos : path.rfind('/', slash - 1)) {
    const std::string above = slash == 0 ? "/" : path.substr(0, slash);
    const auto dir = Dir::open_following_links(above);
    if (!dir && dir.error().code == ErrorCode::kNotFound) continue;  // not made yet
    if (!dir) return from_error("above", above, dir.error());
    const auto info = dir->info();
    const auto exposure = dir->exposure();
    if (!info) return from_error("above", above, info.error());
    if (!exposure) return from_error("above", above, exposure.error());
    const bool swappable =
        exposure->others == os::Exposure::Others::kWrite && (info->mode & kSticky) == 0;
    const bool foreign = exposure->owner == os::Exposure::Owner::kOther && info->uid != 0;
    if (swappable || foreign) {
      return {.verdict = Verdict::kHazard,
              .check = "above",
              .subject = above,
              .says = foreign ? "it belongs to another user, who can swap what is below it"
                              : "others may write to it and can swap what is below it"};
    }
  }
  return {.verdict = Verdict::kGood,
          .check = "above",
          .subject = path,
          .says = "nobody but you and root can swap a directory above it"};
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

Findings judge_place(const Dir& dir) { return {judge_file_system(dir), judge_space(dir)}; }

void append(Findings& all, Findings more) {
  for (Finding& finding : more) all.push_back(std::move(finding));
}

// The nearest existing directory at or above `path`.
Result<Dir> nearest_existing(std::string path) {
  for (;;) {
    Result<Dir> dir = Dir::open_following_links(path);
    if (dir || dir.error().code != ErrorCode::kNotFound || path == "/") return dir;
    const std::size_t slash = path.rfind('/');
    path = slash == 0 ? "/" : path.substr(0, slash);
  }
}

}  // namespace

std::string_view to_text(Verdict verdict) {
  constexpr std::array<std::string_view, 4> kTexts{"good", "note", "hazard", "cannot-tell"};
  return kTexts[static_cast<std::size_t>(verdict)];
}

Findings examine_home(const HomeLocation& location) {
  Findings all;
  const auto home = Home::open(location);
  if (home) {
    all.push_back({Verdict::kGood, "home", location.path,
                   "from " + std::string(to_text(location.source)) + "; format " +
                       std::to_string(HomeMarker::kVersion) + ", created " +
                       format_rfc3339(home->marker().created)});
    all.push_back(judge_privacy(home->dir()));
    append(all, judge_place(home->dir()));
  } else if (home.error().cause == "no-home-yet") {
    all.push_back({Verdict::kNote, "home", location.path,
                   "from " + std::string(to_text(location.source)) +
                       "; not there yet, it is made when it is first needed"});
    const auto place = nearest_existing(location.path);
    if (place) {
      append(all, judge_place(*place));
    } else {
      all.push_back(from_error("file-system", location.path, place.error()));
    }
  } else {
    all.push_back(from_error("home", location.path, home.error()));
  }
  all.push_back(judge_above(location.path));
  return all;
}

Findings examine_path(const std::string& path) {
  std::string absolute = path;
  if (!path.starts_with('/')) {
    const auto base = os::working_dir();
    if (!base) return {from_error("path", path, base.error())};
    absolute = *base + "/" + path;
  }
  auto dir = Dir::open_following_links(absolute);
  if (!dir && dir.error().cause == "not-a-directory") {
    dir = Dir::open_following_links(absolute.substr(0, absolute.rfind('/') + 1));
  }
  if (!dir) return {from_error("path", path, dir.error())};
  Findings all = judge_place(*dir);
  all.push_back(judge_above(absolute));
  return all;
}

}  // namespace holdfast
