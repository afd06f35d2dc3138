// SPDX-License-Identifier: Apache-2.0
#include "cli/output/progress.h"

#include <algorithm>
#include <string>

#include "base/printable.h"
#include "cli/output/wrap.h"

namespace holdfast::cli {
namespace {

constexpr Duration kQuietStart = std::chrono::milliseconds(500);
constexpr Duration kBetweenUpdates = std::chrono::milliseconds(100);
constexpr std::string_view kClearLine = "\r\x1b[K";

}  // namespace

Progress::Progress(Console& console, const Clock& clock, Show show)
    : console_(console), clock_(clock), show_(show) {}

void Progress::update(std::string_view what, std::uint64_t done, std::uint64_t total) {
  if (show_ == Show::kNo) return;
  const MonoTime now = clock_.mono();
  if (!started_) {
    started_ = true;
    next_ = now + kQuietStart;
  }
  if (now < next_) return;
  next_ = now + kBetweenUpdates;
  std::string count = " " + std::to_string(done);
  if (total > 0) count += "/" + std::to_string(total);
  const auto width =
      static_cast<std::size_t>(std::max(40, console_.columns(os::Stream::kErr).value_or(80)) - 1);
  const std::string line = cut_to(printable(what), width - std::min(width, count.size())) + count;
  visible_ = console_.write(os::Stream::kErr, std::string(kClearLine) + line).has_value();
}

void Progress::clear() {
  if (!visible_) return;
  visible_ = !console_.write(os::Stream::kErr, kClearLine).has_value();
}

}  // namespace holdfast::cli
