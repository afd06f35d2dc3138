// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/file/file_options.h"
#include "cli/file/ledger_options.h"
#include "cli/frame/args.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "os/machine/real_clock.h"

namespace holdfast::cli {
namespace {

// What is listed; what is beyond it is counted.
constexpr std::size_t kMostListed = kMaxLedgerDamages;

struct Notes {
  std::size_t future = 0;
  std::size_t no_time = 0;
};

Json finding(std::string_view kind, bool damage, std::size_t line, std::size_t entry,
             std::string_view detail) {
  return {{"kind", kind},
          {"damage", damage},
          {"line", line},
          {"entry", entry == 0 ? Json(nullptr) : Json(entry)},
          {"detail", detail}};
}

// Entries whose time is missing or cannot be right.
Notes look_at_times(std::string_view bytes, const LedgerText& ledger,
                    const std::vector<std::string>& field, Json& findings) {
  Notes notes;
  LineCounter lines(bytes);
  const WallTime now = os::RealClock().wall();
  for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
    const EntryTime state = timed_entry(ledger, i, field, now).state;
    if (state == EntryTime::kKnown) continue;
    const bool future = state == EntryTime::kFuture;
    ++(future ? notes.future : notes.no_time);
    if (findings.size() >= kMostListed) continue;
    const auto offset = static_cast<std::size_t>(ledger.entries[i].text.data() - bytes.data());
    findings.push_back(finding(future ? "future-time" : "no-time", false, lines.line_of(offset),
                               i + 1,
                               future                         ? "its time is in the future"
                               : state == EntryTime::kMissing ? "it has no time"
                                                              : "its time cannot be read"));
  }
  return notes;
}

void print_findings(Context& context, const std::string& path, const Json& findings) {
  for (const Json& one : findings) {
    std::string line = path + ":" + std::to_string(*json_count(one, "line")) + ": ";
    if (const auto entry = json_count(one, "entry"))
      line += "entry " + std::to_string(*entry) + ": ";
    context.print(line + *json_text(one, "kind") + ": " + *json_text(one, "detail") + "\n");
  }
}

Result<int> run_ledger_check(Context& context, const Args& args) {
  const std::string& path = args.arguments().front();
  const auto field = HF_TRY(time_path_of(args));
  const std::string bytes = HF_TRY(load_ledger_of(args));
  const LedgerText ledger = read_ledger(bytes, ledger_naming(path));
  Json findings = Json::array();
  for (const LedgerDamage& one : ledger.damage) {
    findings.push_back(finding(one.cause, true, one.line, one.entry, one.detail));
  }
  const Notes notes = look_at_times(bytes, ledger, field, findings);
  context.emit({{"format", to_text(ledger.format)},
                {"entries", ledger.entries.size()},
                {"damages", ledger.damages},
                {"future", notes.future},
                {"no_time", notes.no_time},
                {"findings", findings}});
  print_findings(context, path, findings);
  if (!ledger.whole()) return fail(ledger_error(ledger, path));
  context.print(std::to_string(ledger.entries.size()) + " entries, " +
                std::string(to_text(ledger.format)) + ", whole\n");
  return to_int(ExitCode::kDone);
}

constexpr std::array kLedgerCheckOwnOptions{kTimeFieldOption};
constexpr auto kLedgerCheckOptions = joined(kLedgerCheckOwnOptions, kLedgerReadOptions);

constexpr std::array kLedgerCheckExamples{
    Example{.line = "holdfast ledger check asked.json",
            .says = "Is it whole, and are its times possible?"},
};

constexpr std::array kLedgerCheckExits{
    ExitNote{ExitCode::kDone,
             "it is whole; entries without a time, or with one in the future, are "
             "listed as notes"},
    ExitNote{ExitCode::kCorrupt,
             "it is damaged, or no ledger; each damage is listed with its line"},
    ExitNote{ExitCode::kNo, "there is no such file"},
    ExitNote{ExitCode::kCannotTell, "a write in place of it is not finished"},
    ExitNote{ExitCode::kOsRefused, "it may not be read"},
    ExitNote{ExitCode::kRefused, "an unsafe path: a link, another owner, a special file"},
};

constexpr std::array kLedgerCheckFields{
    JsonField{"format", "`array` or `lines`"},
    JsonField{"entries", "how many can be read"},
    JsonField{"damages", "how much is damaged"},
    JsonField{"future", "how many entries have a time in the future"},
    JsonField{"no_time", "how many have none that can be read"},
    JsonField{"findings",
              "the first 1000, each with `kind`, `damage` (false: a note), `line`, "
              "`entry` and `detail`"},
};

}  // namespace

constinit const CommandSpec kLedgerCheckCommand{
    .name = "ledger check",
    .summary = "is a ledger whole, and are its times possible",
    .description =
        "Reads all of the ledger and lists what is wrong with it, with line numbers. It "
        "changes nothing and takes no lock.",
    .options = kLedgerCheckOptions,
    .arguments = kLedgerArguments,
    .examples = kLedgerCheckExamples,
    .exits = kLedgerCheckExits,
    .json_fields = kLedgerCheckFields,
    .run = run_ledger_check,
};

}  // namespace holdfast::cli
