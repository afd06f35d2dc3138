// SPDX-License-Identifier: Apache-2.0
//
// Home: the state directory, opened and found safe.
//
// Guarantee: a Home that you hold is a real directory (not a link), belongs to the caller, cannot
// be written by others, and carries a format that this program knows. Everything below it is
// reached through its handle, without following links. Creation is whole or nothing: two creators,
// a crash or a full disk leave either a usable home, or an empty directory that the next call
// completes, or nothing.
//
//   HOME/             0700
//   HOME/format       what makes it a home; its version (format/json/home_marker.h)
//   HOME/locks/ sessions/ journal/ once/ loops/    0700, made when first used
//
// Refused with kRefused (77), each with a sentence that says how to mend it: `home-is-link`,
// `home-not-a-directory`, `home-foreign-owner`, `home-writable-by-others`, `home-not-empty` (a
// directory with other things in it is never adopted: a mistyped --home must not scatter state into
// it). A damaged format file is kCorrupt; one of a newer version kCannotTell; neither is touched.
// Missing parents are made (0700) only for the default places; for a home that somebody typed a
// missing parent is kNotFound, as it is most likely a typing error.
//
// Limit: a process of the same user can change anything here. Directories above the home are the
// caller's business; `holdfast doctor` warns where others could swap them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "format/json/home_marker.h"
#include "os/dir/dir.h"
#include "runtime/home_location.h"

namespace holdfast {

enum class HomePart : std::uint8_t { kLocks, kSessions, kJournal, kOnce, kLoops };

class Home {
 public:
  // nullopt: there is no home yet. Changes nothing.
  static Result<std::optional<Home>> find(const HomeLocation& location);
  // The same, created where it is missing.
  static Result<Home> open_or_create(const HomeLocation& location, const Clock& clock);

  [[nodiscard]] const os::Dir& dir() const { return dir_; }
  [[nodiscard]] const HomeMarker& marker() const { return marker_; }
  // One of its directories, made where it is missing, checked like the home itself.
  [[nodiscard]] Result<os::Dir> open_part(HomePart part) const;
  // The same for who only reads: nullopt where it is missing; nothing is made.
  [[nodiscard]] Result<std::optional<os::Dir>> find_part(HomePart part) const;

 private:
  Home(os::Dir dir, HomeMarker marker) : dir_(std::move(dir)), marker_(marker) {}

  os::Dir dir_;
  HomeMarker marker_;
};

}  // namespace holdfast
