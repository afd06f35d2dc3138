// SPDX-License-Identifier: Apache-2.0
#include "run/session/status_line.h"

#include <algorithm>

#include "base/units.h"
#include "os/stream/stdio.h"
#include "session/record/layout.h"

namespace holdfast::run {
namespace {

constexpr Duration kEvery = std::chrono::seconds(1);
constexpr std::string_view kErase = "\r\033[K";

std::string seconds(Duration time) {
  return format_duration(
      std::chrono::floor<std::chrono::seconds>(std::max(time, Duration::zero())));
}

void write(std::string_view text) {
  const auto written = os::write_stream(os::Stream::kErr, text);
  static_cast<void>(written);  // a terminal that is gone needs no line
}

}  // namespace

StatusLine::StatusLine(const Services& services, const RunOrder& order)
    : services_(services), order_(order), begun_(services.clock.boot()), due_(begun_ + kEvery) {}

StatusLine::~StatusLine() {
  if (shown_) write(kErase);
}

void StatusLine::begin() {
  auto timer = os::BootTimer::create();
  if (!timer || !timer->set(due_)) return;
  timer_.emplace(std::move(*timer));
}

void StatusLine::add_handles(std::vector<const os::Handle*>& readable,
                             std::vector<const os::Handle*>& /*writable*/) const {
  if (timer_) readable.push_back(&timer_->handle());
}

void StatusLine::round() {
  const BootTime now = services_.clock.boot();
  if (!timer_ || now < due_) return;
  due_ = now + kEvery;
  if (!timer_->set(due_)) timer_.reset();
  constexpr int kNarrow = 40;
  const int columns = os::terminal_columns(os::Stream::kErr).value_or(kNarrow);
  shown_ = true;
  write(std::string(kErase) + text(static_cast<std::size_t>(std::max(columns - 1, 1))));
}

std::string StatusLine::text(std::size_t columns) const {
  const Duration ran = services_.clock.boot() - begun_;
  std::string line = order_.name.value_or(order_.what.command.front()) + ": " + seconds(ran);
  if (order_.what.timeout) line += ", " + seconds(*order_.what.timeout - ran) + " left";
  if (const auto silent = silent_for()) line += ", last output " + seconds(*silent) + " ago";
  return line.substr(0, columns);
}

// By the time of the log, which the supervisor writes.
std::optional<Duration> StatusLine::silent_for() const {
  if (!order_.name || !order_.what.log || services_.sessions == nullptr) return std::nullopt;
  const auto dir = services_.sessions->find(*order_.name);
  if (!dir || !*dir) return std::nullopt;
  const auto info = (*dir)->dir().info(session::log_name());
  if (!info || !*info || (*info)->size == 0) return std::nullopt;
  return services_.clock.wall() - (*info)->modified;
}

}  // namespace holdfast::run
