// SPDX-License-Identifier: Apache-2.0
//
// LogPrinter: the bytes of a log on stdout; as they are, or under --json one object for each line.
//
//   {"line":"what it printed"}
//
// A line longer than kMostLine is cut into pieces. Bytes that are no UTF-8 become U+FFFD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/frame/context.h"
#include "loop/series/log_follower.h"
#include "session/record/log_files.h"

namespace holdfast::cli {

class LogPrinter final : public loop::LogSink {
 public:
  static constexpr std::size_t kMostLine = std::size_t{1} << 20U;

  explicit LogPrinter(Context& context) : context_(context) {}

  enum class Go : std::uint8_t {
    kToTheEnd,  // of what was there when the log was opened, or a little more
    kOn,        // through every file that it goes on in meanwhile
  };
  Result<> print_all(session::LogReader& log, Go go);
  Result<> show(session::LogReader& log) override { return print_all(log, Go::kOn); }
  // The last line may have no end.
  Result<> finish() override;
  const os::Handle* reader_gone() override { return context_.reader_gone(); }

 private:
  Result<> print(std::string_view bytes);
  Result<> print_line(std::string_view line);

  Context& context_;
  std::string unfinished_;
};

}  // namespace holdfast::cli
