// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "base/printable.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "cli/gc/gc_trash.h"
#include "format/json/json.h"
#include "gc/trash.h"
#include "os/signal/signal_flag.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<std::vector<gc::TrashEntry>> chosen(const Args& args, const TrashSeen& seen) {
  const auto older = args.duration("older-than");
  std::vector<gc::TrashEntry> entries;
  for (const std::string& name : args.arguments()) {
    HF_TRY(find_in_trash(seen, name, std::nullopt));  // a mistyped name purges nothing
  }
  for (const gc::TrashEntry& entry : seen.entries) {
    const auto& names = args.arguments();
    if (!names.empty() && std::ranges::find(names, entry.name) == names.end()) continue;
    if (older && entry.age < *older) continue;
    entries.push_back(entry);
  }
  return entries;
}

Result<int> run_trash_purge(Context& context, const Args& args) {
  if (args.arguments().empty() && !args.flag("all") && !args.duration("older-than")) {
    return fail(usage_error("missing-argument", "purge", "the trash",
                            "say which by NAME, or use --older-than D or --all"));
  }
  const TrashSeen seen = HF_TRY(look_into_trash(context));
  const auto entries = HF_TRY(chosen(args, seen));
  const os::SignalFlag signals = HF_TRY(os::SignalFlag::listen());
  EventSink& events = context.runtime().events();
  Json purged = Json::array();
  Json failed = Json::array();
  bool refused = false;  // by more than somebody who is at it
  bool recorded = true;
  for (const gc::TrashEntry& entry : entries) {
    if (signals.flag().raised()) break;
    const auto trash = HF_TRY(gc::find_trash(seen.sessions->dir()));
    if (!trash) break;
    const EventData data = EventData().text("name", entry.name).text("id", to_hex(entry.id));
    HF_TRY(events.record({.type = "trash.purge", .data = data}));  // before there is no way back
    const gc::Purge result = gc::purge(*seen.sessions, *trash, entry, &signals.flag());
    const std::string name = printable(entry.name);
    if (result.gone) {
      recorded = events.record({.type = "trash.purged", .data = data}).has_value() && recorded;
      purged.push_back(name);
      context.print("purged " + name + "\n");
      continue;
    }
    refused = refused || (!result.busy && !result.interrupted);
    failed.push_back({{"name", name}, {"reason", result.reason}});
    context.warn(name + ": not all of it could be removed (" + result.reason + ")");
    for (const os::TreeFault& fault : result.faults) {
      context.warn("  " + printable(fault.path) + ": " + fault.cause);
    }
  }
  if (!recorded) context.warn("what was purged could not be put on record");
  const bool all = failed.empty() && !signals.flag().raised();
  context.emit({{"purged", std::move(purged)}, {"failed", std::move(failed)}});
  if (refused) return to_int(ExitCode::kOsRefused);
  return to_int(all ? ExitCode::kDone : ExitCode::kBusy);
}

constexpr std::array kTrashPurgeOptions{
    OptionSpec{.name = "older-than",
               .kind = OptionKind::kDuration,
               .value = "D",
               .help = "only what has been in the trash for longer than D",
               .excludes = "all"},
    OptionSpec{.name = "all", .help = "everything"},
};
constexpr std::array kTrashPurgeArguments{ArgumentSpec{
    .name = "NAME", .help = "workspaces and sessions in the trash", .arity = Arity::kAny}};

constexpr std::array kTrashPurgeExamples{
    Example{.line = "holdfast trash purge fix-160", .says = "All of that name, for good"},
    Example{.line = "holdfast trash purge --older-than 1h", .says = "Make room now"},
};
constexpr std::array kTrashPurgeExits{
    ExitNote{ExitCode::kDone, "purged; also where there was nothing"},
    ExitNote{ExitCode::kNo, "there is nothing of that name in the trash; nothing was purged"},
    ExitNote{ExitCode::kOsRefused, "something could not be removed; it is still in the trash"},
    ExitNote{ExitCode::kBusy,
             "somebody else purges something of it or brings it back, or a signal ended it"},
};
constexpr std::array kTrashPurgeFields{
    JsonField{"purged", "the names of what is gone"},
    JsonField{"failed", "`name` and `reason` of what is not, or not all"},
};

}  // namespace

constinit const CommandSpec kTrashPurgeCommand{
    .name = "trash purge",
    .summary = "remove what is in the trash for good",
    .description =
        "Removes them with all that is in them. No link is followed and no mount is entered; one "
        "entry that cannot be removed does not end it, and is listed. There is no way back.",
    .options = kTrashPurgeOptions,
    .arguments = kTrashPurgeArguments,
    .examples = kTrashPurgeExamples,
    .exits = kTrashPurgeExits,
    .json_fields = kTrashPurgeFields,
    .run = run_trash_purge,
};

}  // namespace holdfast::cli
