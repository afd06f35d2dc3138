// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "operation.h"
#include "proc/identity/identity.h"
#include "proc/identity/process_facts.h"
#include "proc/identity/verdict.h"

namespace holdfast::bench {
namespace {

// A line of the kernel's, which most of an identity comes from. A fixed one: each digit of the own
// line, of its process numbers and its memory, would be counted.
void parse_stat(std::uint64_t times) {
  constexpr std::string_view kLine =
      "4711 (make) S 4700 4711 4700 34816 4711 4194304 1234 5678 0 0 12 3 4 5 20 0 1 0 88231 "
      "12345344 890 18446744073709551615 94321234567168 94321234890123 140723456789012 0 0 0 0 "
      "4096 65538 1 0 0 17 1 0 0 0 0 0 94321234987654 94321235001234 94321240001234 "
      "140723456791234 140723456791300 140723456791300 140723456794601 0\n";
  for (std::uint64_t i = 0; i < times; ++i) {
    const auto facts = proc::parse_stat_line(kLine);
    must(facts && facts->start_ticks == 88231, "the line was not understood");
  }
}

// The verdict on a process that is gone: no kernel gives this number to any.
void judge_dead(std::uint64_t times) {
  proc::Identity gone = must(proc::own_identity());
  gone.pid = os::Pid{4'194'304};
  for (std::uint64_t i = 0; i < times; ++i) {
    must(proc::judge(gone).life == proc::Life::kDead, "a number that none can have is not free");
  }
}

constexpr std::array kOperations{
    Operation{"identity-judge", judge_dead},
    Operation{"identity-parse", parse_stat},
};

}  // namespace

std::span<const Operation> process_operations() { return kOperations; }

}  // namespace holdfast::bench
