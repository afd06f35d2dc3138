// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <span>
#include <string_view>

#include "cli/frame/commands.h"
#include "cli/frame/frame.h"
#include "cli/hook/hook_run.h"
#include "os/machine/real_clock.h"
#include "os/spawn/env.h"

namespace holdfast::cli {
namespace {

int run_program(int argc, char** argv) {
  ProcessConsole console;
  const os::RealClock clock;
  const Program program{.table = commands(), .personalities = personalities()};
  const std::vector<std::string> words = os::program_arguments(argc, argv);
  if (acts_as_another(program, words)) return run_frame(console, clock, program, words);
  const auto adopted = os::adopt_standard_streams();
  if (adopted) return run_frame(console, clock, program, words);
  // One stream cannot be had; the others may be open. That /dev/null is "not found" is no answer to
  // what was asked.
  Error error = adopted.error();
  error.code = ErrorCode::kOsRefused;
  return refuse_to_start(console, clock, program, words, error);
}

// The last barrier: nothing below throws on purpose, but memory can run out anywhere. It allocates
// nothing. Here nobody knows whether a wrapper's command ran, so this is never 125.
int internal_fault(const char* what) {
  ProcessConsole console;
  for (const char* part : {"holdfast: cannot go on: internal fault: ", what, "\n"}) {
    const auto written = console.write(os::Stream::kErr, part);
    if (!written) break;
  }
  return to_int(ExitCode::kInternal);
}

bool asks_for_hook(int argc, char** argv) {
  if (argc < 1) return false;
  for (const std::string_view word : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    if (word == "--") return false;
    if (word.starts_with("--hook")) return true;
  }
  return false;
}

}  // namespace
}  // namespace holdfast::cli

int main(int argc, char** argv) {
  const auto status = [&](int code) {
    return holdfast::cli::asks_for_hook(argc, argv) ? holdfast::cli::hook_status(code) : code;
  };
  try {
    return holdfast::cli::run_program(argc, argv);
  } catch (const std::exception& fault) {
    return status(holdfast::cli::internal_fault(fault.what()));
  } catch (...) {
    return status(holdfast::cli::internal_fault("unknown"));
  }
}
