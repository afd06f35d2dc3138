// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/frame.h"
#include "helper/commands.h"
#include "helper/simdjson_field_reader.h"
#include "os/real_clock.h"

namespace holdfast::helper {
namespace {

// `holdfast-journal count …` is short for `holdfast-journal journal count …`.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  if (words.size() > 1 && (words[1] == "count" || words[1] == "query")) {
    words.insert(words.begin() + 1, "journal");
  }
  return words;
}

int run_program(int argc, char** argv) {
  const auto adopted = os::adopt_standard_streams();
  cli::ProcessConsole console;
  const os::RealClock clock;
  const cli::Program program{
      .table = commands(), .personalities = {}, .fields = make_simdjson_field_reader};
  const std::vector<std::string> words = words_of(argc, argv);
  if (!adopted) return cli::refuse_to_start(console, clock, program, words, adopted.error());
  return cli::run_frame(console, clock, program, words);
}

// As in cli/main.cc: the last barrier, which allocates nothing.
int internal_fault(const char* what) {
  cli::ProcessConsole console;
  for (const char* part : {"holdfast-journal: cannot go on: internal fault: ", what, "\n"}) {
    const auto written = console.write(os::Stream::kErr, part);
    if (!written) break;
  }
  return to_int(ExitCode::kInternal);
}

}  // namespace
}  // namespace holdfast::helper

int main(int argc, char** argv) {
  try {
    return holdfast::helper::run_program(argc, argv);
  } catch (const std::exception& fault) {
    return holdfast::helper::internal_fault(fault.what());
  } catch (...) {
    return holdfast::helper::internal_fault("unknown");
  }
}
