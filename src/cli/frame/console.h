// SPDX-License-Identifier: Apache-2.0
//
// Console: what the frame asks of the process around it. The real one is os/stream/stdio.h and os/spawn/env.h;
// tests give one of their own (test_console.h), so the whole frame runs without a process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "os/stream/stdio.h"
#include "os/sys/handle.h"

namespace holdfast::cli {

class Console {
 public:
  virtual ~Console() = default;
  virtual Result<> write(os::Stream stream, std::string_view text) = 0;
  [[nodiscard]] virtual bool is_terminal(os::Stream stream) const = 0;
  [[nodiscard]] virtual std::optional<int> columns(os::Stream stream) const = 0;
  [[nodiscard]] virtual std::optional<std::string> env(const char* name) const = 0;
  // Context::reader_leaves.
  virtual Result<bool> reader_leaves([[maybe_unused]] Duration limit) { return false; }
  // Context::reader_gone.
  virtual const os::Handle* reader_gone() { return nullptr; }
};

class ProcessConsole final : public Console {
 public:
  Result<> write(os::Stream stream, std::string_view text) override;
  [[nodiscard]] bool is_terminal(os::Stream stream) const override;
  [[nodiscard]] std::optional<int> columns(os::Stream stream) const override;
  [[nodiscard]] std::optional<std::string> env(const char* name) const override;
  Result<bool> reader_leaves(Duration limit) override;
  const os::Handle* reader_gone() override;
  ~ProcessConsole() override;

 private:
  enum class Reader : std::uint8_t { kUnknown, kShows, kHides };
  Reader reader_ = Reader::kUnknown;  // whether one can see the reader of stdout leave
  os::Handle out_{static_cast<os::NativeHandle>(os::Stream::kOut)};  // lent: it is never closed
};

}  // namespace holdfast::cli
