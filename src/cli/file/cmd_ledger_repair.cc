// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/file/file_options.h"
#include "cli/file/ledger_options.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "file/ledger/ledger.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Json ledger_repair_fields_of(const file::LedgerRepaired& done) {
  Json fields{{"changed", done.needed},
              {"format", to_text(done.format)},
              {"kept", done.kept},
              {"damages", done.damages},
              {"lost_bytes", done.lost_bytes},
              {"copy", done.copy ? Json(*done.copy) : Json(nullptr)}};
  if (done.file) fields.update(replaced_fields(*done.file));
  return fields;
}

Result<int> run_ledger_repair(Context& context, const Args& args) {
  const std::string& path = args.arguments().front();
  const file::ReplaceOptions options = HF_TRY(locked_edit_options(context, args, "ledger repair"));
  const Clock& clock = context.runtime().clock();
  const auto done = file::repair_ledger(path, options, clock);
  if (!done) {
    if (done.error().code == ErrorCode::kNotFound) return fail(done.error());
    return fail(record_refused(context, path, done.error()));
  }
  note_restored(context, path, done->restored);
  context.emit(ledger_repair_fields_of(*done));
  if (!done->needed) {
    context.print("nothing to repair: " + std::to_string(done->kept) + " entries\n");
    return to_int(ExitCode::kDone);
  }
  context.print("kept " + std::to_string(done->kept) + " entries, lost " +
                std::to_string(done->lost_bytes) + " bytes; the damaged file is " + *done->copy +
                "\n");
  record_replaced(context, path, *done->file);
  if (done->file->trouble) return fail(*done->file->trouble);
  return to_int(ExitCode::kDone);
}

constexpr std::array kLedgerRepairExamples{
    Example{.line = "holdfast ledger check asked.json || holdfast ledger repair asked.json",
            .says = "Look first, then mend"},
};

constexpr std::array kLedgerRepairExits{
    ExitNote{ExitCode::kDone, "it is whole now, or was"},
    ExitNote{ExitCode::kCorrupt, "it is JSON, but no ledger (`not-a-ledger`); nothing was changed"},
    ExitNote{ExitCode::kNo, "there is no such file"},
    ExitNote{ExitCode::kIo, "the disk is full or failing; the damaged ledger is where it was"},
    ExitNote{ExitCode::kNotDurable, "it is whole now, but a power cut may undo that"},
    ExitNote{ExitCode::kBusy,
             "somebody held the lock of the file or of its directory for all of --wait"},
    ExitNote{ExitCode::kRefused,
             "an unsafe path, or five copies of damaged versions are there already "
             "(`too-many-copies`); nothing was changed"},
};

constexpr std::array kLedgerRepairOwnFields{
    JsonField{"format", "`array` or `lines`"},
    JsonField{"kept", "how many entries there are"},
    JsonField{"damages", "how much was damaged"},
    JsonField{"lost_bytes", "how much could not be read; it is in the copy"},
    JsonField{"copy", "the name of the damaged file's copy; null where none was needed"},
};
constexpr auto kLedgerRepairFields = joined(kReplacedFields, kLedgerRepairOwnFields);

}  // namespace

constinit const CommandSpec kLedgerRepairCommand{
    .name = "ledger repair",
    .summary = "put a damaged ledger aside and keep what can be read",
    .description =
        "First copies the damaged ledger to `NAME.corrupt-TIME` beside it, durably, then replaces "
        "it by one with every entry that can be read whole. Of an array that was cut off these are "
        "the entries before the cut, of lines every good one; an object inside a damaged entry is "
        "never taken for an entry.\n\n"
        "At most five such copies are kept, and none is ever removed: look at them, and remove "
        "what is not needed. A whole ledger is left as it is.",
    .options = kEditOptions,
    .arguments = kLedgerArguments,
    .examples = kLedgerRepairExamples,
    .exits = kLedgerRepairExits,
    .json_fields = kLedgerRepairFields,
    .run = run_ledger_repair,
};

}  // namespace holdfast::cli
