// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/journal/journal_anchors.h"
#include "cli/journal/journal_reading.h"
#include "journal/read/verify.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

constexpr Duration kDefaultTimeout = std::chrono::seconds(30);

Result<AnchorTarget> journal_anchor_target_of(const Args& args) {
  const auto to = args.text("to");
  const auto command = args.text("to-command");
  if (to.has_value() == command.has_value()) {
    return fail(usage_error("missing-option", "anchor", "the journal",
                            "give one of --to FILE, --to '|CMD' and --to-command CMD"));
  }
  const Duration timeout = args.duration("timeout").value_or(kDefaultTimeout);
  const std::string line = command ? *command : to->starts_with('|') ? to->substr(1) : "";
  if (!line.empty()) {
    HF_TRY(feed_words("", line));  // before anything is recorded
    return AnchorTarget::command(line, timeout);
  }
  if (command || to->empty() || *to == "|") {
    return fail(usage_error("bad-value", "anchor", "the journal", "the target is empty"));
  }
  if (args.duration("timeout")) {
    return fail(
        usage_error("missing-option", "use", "--timeout", "it is for a command, not a file"));
  }
  return AnchorTarget::file(*to);
}

Result<int> run_journal_anchor(Context& context, const Args& args) {
  AnchorTarget target = HF_TRY(journal_anchor_target_of(args));
  const Clock& clock = context.runtime().clock();
  const auto journal = HF_TRY(journal_to_write(context));
  const journal::Head head = HF_TRY(journal->record_head(
      {.type = "journal.anchored", .data = EventData().text("to", target.name())}));
  context.emit({{"seq", head.seq},
                {"head", to_base64url(head.hash)},
                {"journal", to_hex(head.journal)},
                {"to", target.name()}});
  const std::string line = journal::encode_anchor(
      {.journal = head.journal, .seq = head.seq, .head = head.hash, .time = clock.wall()});
  if (const auto delivered = target.deliver(line); !delivered) {
    // The record says that it was anchored, and now this one says that it was not.
    HF_TRY(journal->record({.type = "journal.anchor_failed",
                            .data = EventData()
                                        .text("to", target.name())
                                        .text("reason", delivered.error().detail)
                                        .count("seq", head.seq)}));
    return fail(delivered.error());
  }
  context.print(std::to_string(head.seq) + "\n");
  return to_int(ExitCode::kDone);
}

constexpr std::array kJournalAnchorOptions{
    OptionSpec{.name = "to",
               .kind = OptionKind::kText,
               .value = "FILE",
               .help = "append the anchor to FILE, which is made (0600) where it is missing; a "
                       "value that begins with `|` is a command, as for --to-command"},
    OptionSpec{.name = "to-command",
               .kind = OptionKind::kText,
               .value = "CMD",
               .help = "run CMD by `/bin/sh -c` with the anchor on its standard input"},
    OptionSpec{.name = "timeout",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "how long CMD may take (default 30s)"},
};

constexpr std::array kJournalAnchorExamples{
    Example{.line = "holdfast journal anchor --to /mnt/other-host/anchors.jsonl",
            .says = "Pin the journal in a file on another machine"},
    Example{.line = "holdfast journal anchor --to '|mail -s anchor audit@example.org'",
            .says = "Send the pin away"},
    Example{.line = "holdfast journal anchor --to-command 'ssh vault \"cat >>anchors.jsonl\"'",
            .says = "Keep it where nobody of this machine can write"},
};

constexpr std::array kJournalAnchorExits{
    ExitNote{ExitCode::kDone, "the anchor was delivered"},
    ExitNote{ExitCode::kIo,
             "it could not be delivered; the journal says so (`journal.anchor_failed`)"},
};

constexpr std::array kJournalAnchorFields{
    JsonField{"seq", "the number of the record that is pinned"},
    JsonField{"head", "its hash, base64url"},
    JsonField{"journal", "the id of the journal"},
    JsonField{"to", "the absolute path, or `|` and the command"},
};

}  // namespace

constinit const CommandSpec kJournalAnchorCommand{
    .name = "journal anchor",
    .summary = "pin the end of the journal elsewhere",
    .description =
        "Records `journal.anchored`, durably, and gives away one line of JSON that names that "
        "record and its hash. From then on nobody can change what the journal says up to there, or "
        "cut it off, without `journal verify` noticing; provided that the line is kept where they "
        "cannot write. Prints the number of the record.\n\n"
        "An anchor says nothing about what comes later: anchor often, from cron for example.",
    .options = kJournalAnchorOptions,
    .examples = kJournalAnchorExamples,
    .exits = kJournalAnchorExits,
    .json_fields = kJournalAnchorFields,
    .run = run_journal_anchor,
};

}  // namespace holdfast::cli
