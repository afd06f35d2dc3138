// SPDX-License-Identifier: Apache-2.0
//
// Progress: one line on stderr that says how far long work is, and leaves no trace.
//
// Guarantee: nothing is written unless it was made with Show::kYes; nothing for work that ends
// within half a second; afterwards at most ten updates a second; clear() removes the line, and is
// called before anything else is written to the terminal. A failing write is ignored: progress is
// never a reason to fail.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "cli/frame/console.h"

namespace holdfast::cli {

class Progress {
 public:
  enum class Show : std::uint8_t { kNo, kYes };

  Progress(Console& console, const Clock& clock, Show show);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `what` is cut where the line would not fit; a `total` of 0 means that nobody knows it.
  void update(std::string_view what, std::uint64_t done, std::uint64_t total);
  void clear();

 private:
  Console& console_;
  const Clock& clock_;
  Show show_;
  bool started_ = false;
  bool visible_ = false;
  MonoTime next_;
};

}  // namespace holdfast::cli
