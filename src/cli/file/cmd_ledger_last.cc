// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/file/file_options.h"
#include "cli/file/ledger_options.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "format/json/json_span.h"

namespace holdfast::cli {
namespace {

using LedgerLastVerdict = LedgerAnswer::Verdict;

Error doubt(const std::string& path, const TimedEntry& entry, const std::string& field) {
  const bool future = entry.state == EntryTime::kFuture;
  std::string detail = "entry " + std::to_string(entry.number + 1) + " matches, but ";
  if (future) {
    detail += "its time is in the future, so nobody can say how old it is";
  } else {
    detail += entry.state == EntryTime::kMissing ? "it has no field '" + field + "'"
                                                 : "its '" + field + "' is no time";
    detail += " (--time-field names another)";
  }
  return {.code = ErrorCode::kCannotTell,
          .op = "tell the age of an entry of",
          .subject = path,
          .cause = future ? "future-time" : "no-time",
          .detail = std::move(detail)};
}

Json ledger_last_fields_of(const LedgerText& ledger, const LedgerAnswer& answer) {
  const bool decided = answer.verdict != LedgerLastVerdict::kCannotTell;
  Json fields{
      {"found", decided ? Json(answer.verdict == LedgerLastVerdict::kFound) : Json(nullptr)},
      {"entry", nullptr},
      {"raw", nullptr},
      {"number", nullptr},
      {"age_ms", nullptr},
      {"future", false},
      {"entries", ledger.entries.size()}};
  if (!answer.entry) return fields;
  const std::string_view text = ledger.entries[answer.entry->number].text;
  fields["entry"] = parse_json(text);
  fields["raw"] = text;
  fields["number"] = answer.entry->number + 1;
  fields["future"] = answer.entry->state == EntryTime::kFuture;
  if (answer.entry->state == EntryTime::kKnown) {
    fields["age_ms"] =
        std::chrono::duration_cast<std::chrono::milliseconds>(answer.entry->age).count();
  }
  return fields;
}

Result<int> run_ledger_last(Context& context, const Args& args) {
  const std::string& path = args.arguments().front();
  const LedgerQuestion question = HF_TRY(ledger_question_of(args));
  const std::string bytes = HF_TRY(load_ledger_of(args));
  const LedgerText ledger = read_ledger(bytes, ledger_naming(path));
  if (!ledger.whole()) return fail(ledger_error(ledger, path));

  const LedgerAnswer answer = last_in_ledger(ledger, question);
  context.emit(ledger_last_fields_of(ledger, answer));
  if (answer.verdict == LedgerLastVerdict::kCannotTell) {
    return fail(doubt(path, *answer.entry, args.text("time-field").value_or("time")));
  }
  if (answer.verdict == LedgerLastVerdict::kNotFound) {
    context.note("no such entry in " + path);
    return to_int(ExitCode::kNo);
  }
  if (answer.entry->state == EntryTime::kFuture) {
    context.warn("the time of this entry is in the future");
  }
  context.print(laid_out(ledger.entries[answer.entry->number].text, {}) + "\n");
  return to_int(ExitCode::kDone);
}

constexpr std::array kLedgerLastOwnOptions{
    OptionSpec{.name = "where",
               .kind = OptionKind::kText,
               .value = "FIELD=VALUE",
               .help = "only entries with this value (`FIELD!=VALUE`: without it); FIELD is KEY or "
                       "KEY.KEY. Several must all hold",
               .repeat = Repeat::kMany},
    OptionSpec{.name = "within",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "only entries that are not older than this"},
    kTimeFieldOption,
};
constexpr auto kLedgerLastOptions = joined(kLedgerLastOwnOptions, kLedgerReadOptions);

constexpr std::array kLedgerLastExamples{
    Example{.line = "holdfast ledger last asked.json --where signal=abc --within 24h",
            .says = "Was this asked within a day?"},
    Example{.line = "holdfast ledger last escalation-history.json --time-field timestamp --json",
            .says = "The newest entry of another tool's history, with its age"},
};

constexpr std::array kLedgerLastExits{
    ExitNote{ExitCode::kDone, "found: it is on stdout"},
    ExitNote{ExitCode::kCorrupt, "the ledger is damaged, so nobody can say"},
    ExitNote{ExitCode::kNo, "no such entry, for certain; or no such file"},
    ExitNote{
        ExitCode::kCannotTell,
        "--within: the entry that would decide has no readable time (`no-time`), or one in the "
        "future (`future-time`); or a write in place of the ledger is not finished"},
    ExitNote{ExitCode::kOsRefused, "it may not be read, so nobody can say"},
    ExitNote{ExitCode::kRefused, "an unsafe path: a link, another owner, a special file"},
};

constexpr std::array kLedgerLastFields{
    JsonField{"found", "true or false; null where nobody can tell"},
    JsonField{"entry", "the entry; null where there is none"},
    JsonField{"raw", "its bytes, as they stand in the ledger"},
    JsonField{"number", "its place, from 1"},
    JsonField{"age_ms", "how old it is; null where its time is missing or in the future"},
    JsonField{"future", "its time is more than a minute ahead of the clock"},
    JsonField{"entries", "how many the ledger has"},
};

}  // namespace

constinit const CommandSpec kLedgerLastCommand{
    .name = "ledger last",
    .summary = "the newest entry that matches, or a certain no",
    .description =
        "Prints the last entry of the file that matches, as one line of JSON. Values compare as "
        "texts: `n=5` holds for 5 and for \"5\".\n\n"
        "With --within, any entry that matches and is young enough is a yes. An entry whose time "
        "cannot be read, or lies more than a minute in the future, proves neither yes nor no: if "
        "it "
        "would decide, the answer is 69. Times are RFC 3339 with an offset, Unix seconds, or "
        "milliseconds.",
    .options = kLedgerLastOptions,
    .arguments = kLedgerArguments,
    .examples = kLedgerLastExamples,
    .exits = kLedgerLastExits,
    .json_fields = kLedgerLastFields,
    .run = run_ledger_last,
};

}  // namespace holdfast::cli
