// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/journal/journal_options.h"
#include "cli/journal/journal_reading.h"
#include "format/journal/event_type.h"

namespace holdfast::cli {
namespace {

using Kept = EventReceipt::Kept;

// A promise can be made stronger and not weaker, and who asks for a weaker one is mistaken.
Result<EventClass> wanted_class(const Args& args, EventClass registered) {
  const auto word = args.text("class");
  if (!word) return registered;
  const EventClass wanted = parse_event_class(*word).value_or(registered);
  if (wanted >= registered) return wanted;
  return fail(usage_error(
      "bad-value", "use the value of --class", "'" + *word + "'",
      "events of this type are of class " + std::string(to_text(registered)) + " at least"));
}

std::string_view kept_text(Kept kept) {
  switch (kept) {
    case Kept::kBuffered:
    case Kept::kWritten:
      return "written";
    case Kept::kSpilled:
      return "spilled";
    case Kept::kDurable:
      return "durable";
  }
  __builtin_unreachable();
}

// What the journal says of itself explains damage away; `journal anchor` and the like go another
// way.
Result<> check_not_the_journals(const std::string& type) {
  if (!type.starts_with("journal.")) return {};
  return fail(usage_error("reserved-type", "record an event of type", "'" + type + "'",
                          "only the journal itself writes these"));
}

// For a script the number alone.
std::string appended_text(const Context& context, const std::string& type,
                          const EventReceipt& receipt) {
  const std::string number = std::to_string(receipt.seq);
  if (!context.columns()) return number + "\n";
  const bool durable = receipt.kept == Kept::kDurable;
  return "recorded " + type + " as event " + number + (durable ? ", on stable storage\n" : "\n");
}

Result<int> run_journal_append(Context& context, const Args& args) {
  const auto type = args.text("type");
  if (!type) {
    return fail(usage_error("missing-option", "append to", "the journal",
                            "--type is missing; see `holdfast help events`"));
  }
  HF_TRY(check_not_the_journals(*type));
  const EventData data = HF_TRY(read_event_data(args.text("data")));
  // Checked before a home is made for it.
  const EventClass at_least = HF_TRY(wanted_class(args, HF_TRY(check_event(*type, data.keys()))));
  const auto journal = HF_TRY(journal_to_write(context));
  const EventReceipt receipt =
      HF_TRY(journal->record({.type = *type, .data = data, .at_least = at_least}));
  const bool numbered = receipt.kept != Kept::kSpilled;
  if (numbered && context.verbosity() == Verbosity::kNormal) {
    context.print(appended_text(context, *type, receipt));
  } else if (!numbered) {
    context.note("the journal is busy: the event is kept beside it, and the next writer adds it");
  }
  context.emit(
      {{"seq", numbered ? Json(receipt.seq) : Json(nullptr)}, {"kept", kept_text(receipt.kept)}});
  return to_int(ExitCode::kDone);
}

constexpr std::array kJournalAppendOptions{
    OptionSpec{.name = "type",
               .letter = 't',
               .kind = OptionKind::kText,
               .value = "TYPE",
               .help = "what happened: a type of `holdfast help events`, or your own, which begins "
                       "with `x.`"},
    OptionSpec{.name = "class",
               .kind = OptionKind::kChoice,
               .value = "trace|event|decision",
               .help = "promise more than the type's own class does; `decision`: on stable storage "
                       "when the command returns"},
    OptionSpec{
        .name = "data",
        .letter = 'd',
        .kind = OptionKind::kText,
        .value = "JSON",
        .help = "the facts, one JSON object; `@FILE` reads them from a file, `-` from stdin"},
};

constexpr std::array kJournalAppendExamples{
    Example{.line = "holdfast journal append --type x.deploy --data '{\"host\":\"db1\"}'",
            .says = "Record an event of your own"},
    Example{.line = "./facts | holdfast journal append --type lock.fail_open",
            .says = "The facts from a program; durable, because the type is a decision"},
    Example{.line = "holdfast journal append -t x.wipe --class decision -d '{}' && rm -r cache",
            .says = "Act only if it is on record for certain"},
};

constexpr std::array kJournalAppendExits{
    ExitNote{ExitCode::kDone, "it is recorded, as far as `kept` says"},
    ExitNote{ExitCode::kUsage, "unknown type (the nearest name is shown), or a field is missing"},
    ExitNote{ExitCode::kCorrupt,
             "the data is not one JSON object, or the end of the journal is damaged beyond a torn "
             "write (see `holdfast help journal repair`); nothing was recorded"},
    ExitNote{ExitCode::kCannotTell,
             "the journal was busy and a decision cannot wait beside it, or a newer holdfast "
             "writes it; nothing was recorded"},
    ExitNote{ExitCode::kIo, "the disk is full or failing; what was dropped is counted"},
};

constexpr std::array kJournalAppendFields{
    JsonField{"seq", "its number in the journal; null where it is `spilled`"},
    JsonField{"kept",
              "`written` (in the journal), `durable` (and on stable storage) or `spilled` (beside "
              "the journal, which was busy; the next writer adds it)"},
};

}  // namespace

constinit const CommandSpec kJournalAppendCommand{
    .name = "journal append",
    .summary = "record that something happened",
    .description =
        "Adds one event to the journal and prints its number; a person at a terminal gets a "
        "sentence, and with -q nobody gets anything. Without --data the facts are read "
        "from standard input, if that is no terminal; no input means no facts.\n\n"
        "The home is made where there is none yet. Data of more than about 64 KiB is kept beside "
        "the journal, and shown by `journal query` as if it were in it; 8 MiB is the limit.",
    .options = kJournalAppendOptions,
    .examples = kJournalAppendExamples,
    .exits = kJournalAppendExits,
    .json_fields = kJournalAppendFields,
    .run = run_journal_append,
};

}  // namespace holdfast::cli
