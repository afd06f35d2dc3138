// SPDX-License-Identifier: Apache-2.0
#include "cli/output/moment.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/units.h"
#include "cli/frame/command_line.h"
#include "os/machine/local_time.h"

namespace holdfast::cli {
namespace {

using namespace std::chrono;

// Takes fields of fixed width off the front of a text; once one does not fit, all that follow fail.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] bool next_is(std::string_view one_of) const {
    return !rest_.empty() && one_of.contains(rest_.front());
  }
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }
  void expect(std::string_view one_of) {
    ok_ = ok_ && next_is(one_of);
    if (ok_) take();
  }
  unsigned digits(std::size_t count) {
    unsigned value = 0;
    ok_ = ok_ && rest_.size() >= count;
    for (std::size_t i = 0; ok_ && i < count; ++i) {
      ok_ = next_is("0123456789");
      if (ok_) value = value * 10 + static_cast<unsigned>(take() - '0');
    }
    return value;
  }
  // What stands behind the point, as nanoseconds.
  nanoseconds fraction() {
    std::int64_t value = 0;
    int count = 0;
    for (; next_is("0123456789") && count < 9; ++count) value = value * 10 + (take() - '0');
    ok_ = ok_ && count > 0;
    for (; count < 9; ++count) value *= 10;
    return nanoseconds(value);
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

std::optional<nanoseconds> offset(Cursor& at) {
  if (at.next_is("Zz")) {
    at.take();
    return 0ns;
  }
  if (!at.next_is("+-")) return std::nullopt;
  const int sign = at.take() == '-' ? -1 : 1;
  const hours h(at.digits(2));
  at.expect(":");
  const minutes m(at.digits(2));
  if (!at.ok() || h > 23h || m > 59min) return std::nullopt;
  return (h + m) * sign;
}

std::optional<WallTime> local(const year_month_day& date, Duration of_day) {
  const auto whole = floor<seconds>(of_day);
  const hh_mm_ss parts(whole);
  const auto time = os::from_local({.year = static_cast<int>(date.year()),
                                    .month = static_cast<int>(static_cast<unsigned>(date.month())),
                                    .day = static_cast<int>(static_cast<unsigned>(date.day())),
                                    .hour = static_cast<int>(parts.hours().count()),
                                    .minute = static_cast<int>(parts.minutes().count()),
                                    .second = static_cast<int>(parts.seconds().count())});
  if (!time) return std::nullopt;
  return std::max(WallTime(), *time + (of_day - whole));
}

// The start of today, or of a day before.
std::optional<WallTime> parse_day(std::string_view word, WallTime now) {
  if (word == "now") return now;
  if (word != "today" && word != "yesterday") return std::nullopt;
  auto day = os::to_local(now);
  if (!day) return std::nullopt;
  return os::from_local(
      {.year = day->year, .month = day->month, .day = day->day - (word == "today" ? 0 : 1)});
}

std::optional<WallTime> parse_time(std::string_view text) {
  Cursor at(text);
  const year y(static_cast<int>(at.digits(4)));
  at.expect("-");
  const month m(at.digits(2));
  at.expect("-");
  const year_month_day date(y, m, day(at.digits(2)));
  if (!at.ok() || !date.ok() || y < year(1970) || y > year(2261)) return std::nullopt;
  const WallTime midnight = sys_days(date);
  if (at.at_end()) return local(date, Duration::zero());

  at.expect("Tt ");
  const hours h(at.digits(2));
  at.expect(":");
  const minutes min(at.digits(2));
  seconds s(0);
  nanoseconds fraction(0);
  if (at.ok() && at.next_is(":")) {
    at.take();
    s = seconds(at.digits(2));
    if (at.next_is(".")) {
      at.take();
      fraction = at.fraction();
    }
  }
  if (!at.ok() || h > 23h || min > 59min || s > 60s) return std::nullopt;
  if (at.at_end()) return local(date, h + min + s + fraction);
  const auto zone = offset(at);
  if (!at.ok() || !zone || !at.at_end()) return std::nullopt;
  return midnight + h + min + s + fraction - *zone;
}

}  // namespace

Result<WallTime> parse_moment(std::string_view option, std::string_view text, WallTime now) {
  if (const auto back = parse_duration(text)) {
    // Before 1970 there are no events; so `--since 100000d` simply means all of them.
    return std::max(WallTime(), now - std::min(*back, now.time_since_epoch()));
  }
  if (const auto day = parse_day(text, now)) return *day;
  if (const auto time = parse_time(text)) return *time;
  return fail(usage_error("bad-value", "use the value of --" + std::string(option),
                          "'" + std::string(text) + "'",
                          "it is neither a duration back from now, such as 30d, nor a time, such "
                          "as yesterday, \"2026-11-01 14:00\" or 2026-11-01T07:00Z"));
}

}  // namespace holdfast::cli
