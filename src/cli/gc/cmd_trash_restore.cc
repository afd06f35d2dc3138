// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/printable.h"
#include "cli/frame/commands.h"
#include "cli/gc/gc_trash.h"
#include "cli/session/session_found.h"
#include "gc/restore.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<int> run_trash_restore(Context& context, const Args& args) {
  const std::string& name = args.arguments().front();
  const TrashSeen seen = HF_TRY(look_into_trash(context));
  const gc::TrashEntry entry = HF_TRY(find_in_trash(seen, name, args.text("id")));
  const gc::Restored restored =
      HF_TRY(gc::restore(*seen.sessions, entry, args.text("as").value_or(name)));
  EventSink& events = context.runtime().events();
  EventData data = EventData().text("name", name).text("id", to_hex(entry.id));
  if (restored.name != name) data.text("as", restored.name);
  const auto told = events.record({.type = "trash.restored", .data = std::move(data)});
  if (!told) context.warn(to_sentence(told.error()));
  context.emit({{"name", restored.name}, {"dir", restored.directory}, {"id", to_hex(entry.id)}});
  context.print(printable(restored.name) + "\n" + printable(restored.directory) + "\n");
  if (restored.not_durable) return fail(*restored.not_durable);
  return to_int(ExitCode::kDone);
}

constexpr std::array kTrashRestoreOptions{
    OptionSpec{.name = "as",
               .kind = OptionKind::kText,
               .value = "NEWNAME",
               .help = "the name that it has from now on"},
    kTrashIdOption,
};
constexpr std::array kTrashRestoreArguments{kSessionArgument};

constexpr std::array kTrashRestoreExamples{
    Example{.line = "holdfast trash restore fix-160", .says = "Bring the newest of that name back"},
    Example{.line = "holdfast trash restore fix-160 --as fix-160-old",
            .says = "Where there is another one of that name by now"},
};
constexpr std::array kTrashRestoreExits{
    ExitNote{ExitCode::kDone, "it is back"},
    ExitNote{ExitCode::kNo, "there is nothing of that name in the trash"},
    ExitNote{ExitCode::kNotDurable, "it is back, but a power cut may undo that"},
    ExitNote{ExitCode::kBusy,
             "its name or its place is taken, or somebody is purging it; it is still in the trash"},
    ExitNote{
        ExitCode::kRefused,
        "a part of it is purged already, its directory is not known to be its own, or what lies "
        "in the place of its directory or record is unsafe"},
};
constexpr std::array kTrashRestoreFields{
    JsonField{"name", "its name now"},
    JsonField{"dir", "where its files are"},
    JsonField{"id", "of the workspace"},
};

}  // namespace

constinit const CommandSpec kTrashRestoreCommand{
    .name = "trash restore",
    .summary = "bring a workspace or session back from the trash",
    .description =
        "Moves the workspace and its directory back to where they were; nothing is replaced. It "
        "counts as new: not ended, without a ttl, nobody attached. Its authority becomes a former "
        "one, so that gc keeps it until `workspace end`, or until `workspace set --authority`.",
    .options = kTrashRestoreOptions,
    .arguments = kTrashRestoreArguments,
    .examples = kTrashRestoreExamples,
    .exits = kTrashRestoreExits,
    .json_fields = kTrashRestoreFields,
    .run = run_trash_restore,
};

}  // namespace holdfast::cli
