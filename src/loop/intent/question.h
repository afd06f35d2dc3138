// SPDX-License-Identifier: Apache-2.0
//
// Questions that only the world can answer: was it done, is the goal reached, has the work moved?
//
// Each is a line for the shell, run as a supervised tree with a limit of time
// (supervise/pipeline.h). Nothing of it is left afterwards. Errors: of supervise/pipeline.h;
// nothing was asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/result.h"

namespace holdfast::loop {

struct Question {
  std::string line{};
  Duration timeout{};
  std::optional<Duration> grace{};         // between TERM and KILL, where it takes too long
  std::string directory{};                 // empty: where the caller is
  std::vector<std::string> environment{};  // NAME=VALUE
};

enum class Answer : std::uint8_t { kYes, kNo, kCannotTell };
// 0 yes; 69, 125 and above, or no exit at all: cannot tell; anything else: no.
Answer answer_of_code(std::optional<int> code);

struct Answered {
  Answer answer = Answer::kCannotTell;
  std::string why{};                 // of kCannotTell
  std::optional<int> interrupted{};  // the signal that asked us to end meanwhile
};
// What it prints goes to stderr. One that takes too long cannot tell.
Result<Answered> ask(const Clock& clock, const Question& question);

struct MarkAnswer {
  std::optional<Digest> mark{};  // of what it printed; nullopt: cannot tell
  std::string why{};
  std::optional<int> interrupted{};
};
// Only an exit with 0 tells.
Result<MarkAnswer> ask_mark(const Clock& clock, const Question& question);

}  // namespace holdfast::loop
