// SPDX-License-Identifier: Apache-2.0
//
// doctor: looks for hazards that would make holdfast's promises hollow, and changes nothing.
//
// Each finding is good, a hazard (with how to mend it), a note, or *cannot tell*. What could not be
// examined is never reported as good.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/home_location.h"

namespace holdfast {

struct Finding {
  enum class Verdict : std::uint8_t { kGood, kNote, kHazard, kCannotTell };

  Verdict verdict = Verdict::kCannotTell;
  std::string check;    // a stable word: "home", "file-system", "above", "space", "containment"
  std::string subject;  // the path that was looked at
  std::string says;
};

std::string_view to_text(Finding::Verdict verdict);  // "good", "note", "hazard", "cannot-tell"

// The home: is it there, safe, of a known format, on a file system whose locks can be trusted, with
// room, below directories that nobody else can swap?
std::vector<Finding> examine_home(const HomeLocation& location);

// What a run can be promised here: a control group for its tree, and each limit, with why not. It
// is tried, with an empty group that is removed again.
std::vector<Finding> examine_runs();

// A directory, or the one that holds a file, where locks or state are to be kept.
// Temporary files that a crash left there are counted, or removed (file/replace/commit_lock.h).
enum class Stages : std::uint8_t { kCount, kRemove };
std::vector<Finding> examine_path(const std::string& path, Stages stages = Stages::kCount);

}  // namespace holdfast
