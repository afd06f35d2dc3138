// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <vector>

#include "cli/frame/commands.h"
#include "cli/frame/frame.h"
#include "cli/frame/test_frame.h"
#include "format/session/process_identity.h"
#include "format/session/session_test_values.h"
#include "operation.h"
#include "testing/manual_clock.h"

namespace holdfast::bench {
namespace {

// From argv to the JSON document, of a command that asks the system for nothing: the process is one
// of another machine.
void answer_in_json(std::uint64_t times) {
  const testing::ManualClock clock;
  const cli::Program program{.table = cli::commands(), .personalities = cli::personalities()};
  const std::vector<std::string> words{
      "holdfast", "alive", "--json",
      encode_identity({.process = session_test_identity(4711), .run = {}})};
  for (std::uint64_t i = 0; i < times; ++i) {
    cli::TestConsole console;
    const int code = run_frame(console, clock, program, words);
    must(code == 69 && console.out.find("\"unknown\"") != std::string::npos, "another answer");
  }
}

constexpr std::array kOperations{
    Operation{"command-json", answer_in_json},
};

}  // namespace

std::span<const Operation> command_operations() { return kOperations; }

}  // namespace holdfast::bench
