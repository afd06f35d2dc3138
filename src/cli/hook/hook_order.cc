// SPDX-License-Identifier: Apache-2.0
#include "cli/hook/hook_order.h"

#include <algorithm>
#include <string>

#include "base/exit_code.h"
#include "cli/frame/option_value.h"
#include "cli/help/topics.h"

namespace holdfast::cli {
namespace {

std::string all_words() {
  std::string words;
  for (const ExitCodeInfo& known : kExitCodes) {
    if (can_be_allowed(known.code)) words += (words.empty() ? "" : ", ") + std::string(known.name);
  }
  return words;
}

}  // namespace

bool can_be_allowed(ExitCode code) {
  return code != ExitCode::kDone && code != ExitCode::kUsage && code != ExitCode::kInternal;
}

Result<std::vector<ExitCode>> hook_allow_value(std::string_view text) {
  std::vector<ExitCode> codes;
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    const auto* const found = std::ranges::find(kExitCodes, word, &ExitCodeInfo::name);
    if (found == kExitCodes.end() || !can_be_allowed(found->code)) {
      return bad_value("hook-allow", word,
                       "the answers are " + all_words() + ", separated by commas");
    }
    codes.push_back(found->code);
    if (comma == text.npos) return codes;
    text.remove_prefix(comma + 1);
  }
}

std::string_view answer_name(int code) {
  const auto* const found = std::ranges::find(
      kExitCodes, code, [](const ExitCodeInfo& known) { return to_int(known.code); });
  return found == kExitCodes.end() ? std::string_view() : found->name;
}

std::vector<Block> hooks_topic() {
  std::vector<Block> blocks{
      heading("Description"),
      paragraph("A host of agent hooks knows three answers: 0 lets the agent go on, 2 blocks it "
                "and shows it what is on stderr, and any other code is a broken hook, which most "
                "hosts pass over. With `--hook`, which every command has, any answer of holdfast's "
                "own but 0 becomes 2, with the reason on stderr. The code of a wrapped command "
                "passes as it is, up to 124. From 125 on it could not be run or died of "
                "a signal: it has not answered, and that blocks."),
      paragraph("`--json` and `--status-fd` keep the true code."),
      heading("On record first"),
      paragraph("`hook.started` is in the journal before anything else is done, and `hook.ended` "
                "behind it, with the same `id`. A hook that its host has killed is a start without "
                "an end. Where the start cannot be recorded, nothing is done, and it blocks."),
      heading("Letting go"),
      paragraph("With `--hook-allow ANSWER[,ANSWER…]` the named answers become 0, with the reason "
                "on stderr. The event `hook.allowed` is on stable storage before; where it cannot "
                "be recorded, it blocks. A wrong command line and an internal fault are never "
                "allowed. The answers:"),
  };
  for (const ExitCodeInfo& row : kExitCodes) {
    if (!can_be_allowed(row.code)) continue;
    blocks.push_back(term(std::string(row.name), std::to_string(to_int(row.code))));
  }
  const std::vector<Block> rest{
      heading("Time"),
      paragraph("A host ends a hook that takes too long, and goes on without its answer. "
                "`--budget D` keeps below that limit: every wait of the command is bounded by what "
                "is left of D, counted from the start. When it is used up, the answer is that of "
                "the wait, with the cause `budget`: 75 for a lock, 124 for a command, which is "
                "ended with all that it started while there is still time for that."),
      paragraph("It bounds waiting, not work: nothing is broken off in the middle of a write. What "
                "`run --detach` and `acquire` leave behind goes on. `loop` and `run --iterations` "
                "have times of their own and refuse it."),
      heading("Examples"),
      paragraph("Below a host's limit of 5 s, and never in silence:"),
      code("holdfast block put CLAUDE.md --id rules --from rules.md --hook --budget 4s"),
      paragraph("Rather no note than a stopped agent, and on record:"),
      code("holdfast lock notes --hook-allow busy --budget 4s -- ./note"),
      paragraph("What the hooks of a day did:"),
      code("holdfast journal query --type 'hook.*' --since 1d"),
  };
  blocks.insert(blocks.end(), rest.begin(), rest.end());
  return blocks;
}

}  // namespace holdfast::cli
