// SPDX-License-Identifier: Apache-2.0
#include <exception>

#include "cli/commands.h"
#include "cli/frame.h"
#include "os/real_clock.h"

namespace holdfast::cli {
namespace {

int run_program(int argc, char** argv) {
  ProcessConsole console;
  if (const auto adopted = os::adopt_standard_streams(); !adopted) {
    return to_int(info(adopted.error().code).exit);  // there is no stream to say it on
  }
  const os::RealClock clock;
  const Program program{.table = commands(), .personalities = personalities()};
  return run_frame(console, clock, program, {argv, argv + argc});
}

// The last barrier: nothing below throws on purpose, but memory can run out anywhere. It allocates
// nothing.
int internal_fault(const char* what) {
  ProcessConsole console;
  for (const char* part : {"holdfast: cannot go on: internal fault: ", what, "\n"}) {
    const auto written = console.write(os::Stream::kErr, part);
    if (!written) break;
  }
  return to_int(ExitCode::kInternal);
}

}  // namespace
}  // namespace holdfast::cli

int main(int argc, char** argv) {
  try {
    return holdfast::cli::run_program(argc, argv);
  } catch (const std::exception& fault) {
    return holdfast::cli::internal_fault(fault.what());
  } catch (...) {
    return holdfast::cli::internal_fault("unknown");
  }
}
