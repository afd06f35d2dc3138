// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/journal/journal_damage.h"
#include "cli/journal/journal_line.h"
#include "cli/journal/journal_options.h"
#include "cli/journal/journal_reading.h"
#include "journal/read/count.h"
#include "os/machine/real_clock.h"

namespace holdfast::cli {
namespace {

// The fields of `--by a,b --by c`.
Result<std::vector<std::string>> groups_of(const Args& args) {
  std::vector<std::string> by;
  for (const std::string& list : args.texts("by")) {
    std::string_view rest = list;
    while (true) {
      const std::size_t comma = rest.find(',');
      HF_TRY(journal::check_group(rest.substr(0, comma)));
      by.emplace_back(rest.substr(0, comma));
      if (comma == rest.npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return by;
}

// A text for one field, a list of texts for several.
Json key_json(const std::vector<std::string>& key) {
  if (key.size() == 1) return key.front();
  return key;
}

void journal_count_show(Context& context, const journal::CountResult& result, bool grouped) {
  Json fields{{"count", result.count}};
  if (grouped) {
    std::vector<CountRow> rows;
    Json groups = Json::array();
    for (const auto& group : result.groups) {
      rows.push_back({group.key, group.count});
      groups.push_back({{"key", key_json(group.key)}, {"count", group.count}});
    }
    context.print(count_table(rows));
    fields["groups"] = std::move(groups);
  } else {
    context.print(std::to_string(result.count) + "\n");
  }
  fields["damaged"] = damage_json(result.damaged);
  context.emit(fields);
}

Result<int> run_journal_count(Context& context, const Args& args) {
  journal::CountRequest request;
  request.filter = HF_TRY(filter_of(args, Times::kSinceAndUntil, os::RealClock().wall()));
  request.by = HF_TRY(groups_of(args));
  request.use_index = !args.flag("no-index");
  const auto dir = HF_TRY(journal_to_read(context));
  HF_TRY(check_fields(context, dir, request.filter, args.texts("where"), request.by));
  journal::CountResult result;
  if (dir) {
    result = HF_TRY(with_snapshot(*dir, [&](const journal::Snapshot& snapshot) {
      return journal::count(snapshot, request);
    }));
  }
  journal_count_show(context, result, !request.by.empty());
  if (!result.index_note.empty()) context.note(result.index_note);
  tell_unfinished(context, result.unfinished_bytes);
  if (!dir) return to_int(ExitCode::kDone);
  return tell_damage(context, HF_TRY(damage_of_question(*dir, request.filter, result.damaged)));
}

constexpr std::array kJournalCountOptions{
    OptionSpec{.name = "by",
               .letter = 'b',
               .kind = OptionKind::kText,
               .value = "FIELD,...",
               .help = "one count for each value of these fields: `type`, `class`, `writer`, "
                       "`boot`, `day`, `hour`, `data.PATH`",
               .repeat = Repeat::kMany},
    kTypeOption,
    kSinceOption,
    kUntilOption,
    kWhereOption,
    kClassOption,
    OptionSpec{.name = "no-index", .help = "read the events themselves; the answer is the same"},
};

constexpr std::array kJournalCountExamples{
    Example{.line = "holdfast journal count --by data.lock --type lock.fail_open --since 30d",
            .says = "How often did fail-open fire in the last 30 days, and on which locks?"},
    Example{.line = "holdfast journal count --by type,day --since 7d",
            .says = "What happened in the last week, by type and day"},
    Example{.line = "holdfast journal count --type 'gc.*' --where data.reason!=orphaned",
            .says = "Clean-ups for any other reason, as one number"},
};

constexpr std::array kJournalCountExits{
    ExitNote{ExitCode::kDone, "all of it was counted; the count may be 0"},
    ExitNote{ExitCode::kUsage, "an unknown type or field, or a wrong time"},
    ExitNote{ExitCode::kCorrupt, "some of the journal is damaged: the count is of the rest"},
    ExitNote{ExitCode::kCannotTell, "an event of a newer holdfast; there is no count"},
};

constexpr std::array kJournalCountFields{
    JsonField{"count", "how many events match"},
    JsonField{"groups",
              "with --by only: a list, the largest first, each with `key` (a text; a list of texts "
              "for several fields) and `count`"},
    JsonField{"damaged", kDamagedSays},
};

}  // namespace

constinit const CommandSpec kJournalCountCommand{
    .name = "journal count",
    .summary = "count the events that match, as a number or by fields",
    .description =
        "Prints a bare number, or with --by a table, the largest count first. Options are those of "
        "`journal query`. Days and hours are UTC. An event without a field counts under "
        "`(none)`.\n\n"
        "Counts by type, day and lock come from an index that holdfast keeps beside the journal "
        "and makes anew where it is missing: deleting it changes nothing but time. A journal in a "
        "directory that cannot be written is counted without.",
    .options = kJournalCountOptions,
    .examples = kJournalCountExamples,
    .exits = kJournalCountExits,
    .json_fields = kJournalCountFields,
    .run = run_journal_count,
};

}  // namespace holdfast::cli
