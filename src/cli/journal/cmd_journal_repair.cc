// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/printable.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/journal/journal_damage.h"
#include "cli/journal/journal_reading.h"
#include "journal/write/repair.h"

namespace holdfast::cli {
namespace {

// What was done, or would be.
void journal_repair_show(Context& context, const journal::RepairReport& report, bool dry) {
  if (report.mended_bytes > 0) {
    context.print(std::string(dry ? "would mend" : "mended") +
                  " the end: " + std::to_string(report.mended_bytes) +
                  " bytes of an unfinished record" + (dry ? "\n" : ", kept as a blob\n"));
  }
  for (const journal::Damage& damage : report.acknowledged) {
    context.print(std::string(dry ? "would put on record: " : "on record: ") +
                  printable(damage_line(damage)) + "\n");
  }
  if (report.nothing_to_do()) {
    context.print("nothing to repair\n");
  } else if (!dry && !report.acknowledged.empty()) {
    context.print("nothing was removed: damaged bytes stay where they are\n");
  }
}

Result<journal::RepairReport> repair_or_plan(Context& context, bool dry) {
  const auto dir = HF_TRY(journal_to_read(context));
  if (!dir) return journal::RepairReport{};
  if (dry) return journal::plan_repair(*dir);
  const auto journal = HF_TRY(journal_to_write(context));
  return journal::repair(*dir, *journal);
}

Result<int> run_journal_repair(Context& context, const Args& args) {
  const bool dry = args.flag("dry-run");
  const journal::RepairReport report = HF_TRY(repair_or_plan(context, dry));
  journal_repair_show(context, report, dry);
  context.emit({{"mended_bytes", report.mended_bytes},
                {"acknowledged", damage_json(report.acknowledged)},
                {"left", damage_json(report.left)},
                {"dry_run", dry}});
  HF_TRY(context.flush());
  for (const journal::Damage& damage : report.left) {
    context.warn("cannot be repaired: " + damage_line(damage));
  }
  const bool work_left = !report.left.empty() || (dry && !report.acknowledged.empty());
  return to_int(work_left ? ExitCode::kCorrupt : ExitCode::kDone);
}

constexpr std::array kJournalRepairOptions{
    OptionSpec{.name = "dry-run", .help = "say what would be done, and change nothing"},
};

constexpr std::array kJournalRepairExamples{
    Example{.line = "holdfast journal repair --dry-run", .says = "What is wrong with it?"},
    Example{.line = "holdfast journal repair", .says = "Go on, and keep on record what was wrong"},
};

constexpr std::array kJournalRepairExits{
    ExitNote{ExitCode::kDone, "nothing is damaged, or all damage is on record now"},
    ExitNote{ExitCode::kCorrupt,
             "something is left that no record can explain, such as a missing blob; with "
             "--dry-run: there is something to do"},
    ExitNote{ExitCode::kCannotTell, "a newer holdfast wrote it, or it is busy; nothing was done"},
};

constexpr std::array kJournalRepairFields{
    JsonField{"mended_bytes", "of an unfinished record at the end: cut off, and kept as a blob"},
    JsonField{"acknowledged", "the damage that was put on record, as in `journal verify`"},
    JsonField{"left", "the damage that is still unexplained"},
    JsonField{"dry_run", "true where nothing was changed"},
};

}  // namespace

constinit const CommandSpec kJournalRepairCommand{
    .name = "journal repair",
    .summary = "put damage on record, so that writing can go on",
    .description =
        "Verifies the journal and records each damaged place as `journal.repaired`. That removes "
        "nothing and restores nothing: the damaged bytes stay where they are, every reader still "
        "reports them, but as explained. Only what stands behind the last whole record (a writer "
        "died there) is cut off, and kept as a blob; the next writer would do the same.\n\n"
        "It is needed where `journal append` answers 65, and where damage that is understood "
        "should not raise an alarm for ever. Find out first what happened: --dry-run shows it. "
        "Anchors are not looked at: that is `journal verify`.",
    .options = kJournalRepairOptions,
    .examples = kJournalRepairExamples,
    .exits = kJournalRepairExits,
    .json_fields = kJournalRepairFields,
    .run = run_journal_repair,
};

}  // namespace holdfast::cli
