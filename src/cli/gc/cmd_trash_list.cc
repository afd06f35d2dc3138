// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/printable.h"
#include "base/units.h"
#include "cli/frame/commands.h"
#include "cli/gc/gc_trash.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"

namespace holdfast::cli {
namespace {

Result<int> run_trash_list(Context& context, const Args& /*args*/) {
  const TrashSeen seen = HF_TRY(look_into_trash(context));
  Json list = Json::array();
  for (const gc::TrashEntry& entry : seen.entries) {
    list.push_back({{"name", is_utf8(entry.name) ? entry.name : printable(entry.name)},
                    {"id", to_hex(entry.id)},
                    {"at", format_rfc3339(entry.at)},
                    {"age_ms", std::chrono::floor<std::chrono::milliseconds>(entry.age).count()},
                    {"reason", entry.reason}});
    if (!entry.directory.empty()) list.back()["dir"] = printable(entry.directory);
    if (entry.purging) list.back()["purging"] = true;
    if (!entry.trouble.empty()) list.back()["trouble"] = entry.trouble;
    std::string why = entry.reason.empty() ? "?" : entry.reason;
    if (entry.purging) why = "being-purged";
    if (!entry.trouble.empty()) why = "(" + entry.trouble + ")";
    context.print(format_rfc3339(entry.at) + "  " + to_hex(entry.id).substr(0, 8) + "  " + why +
                  "  " + printable(entry.name) +
                  (entry.directory.empty() ? "" : "  " + printable(entry.directory)) + "\n");
  }
  context.emit({{"trash", std::move(list)}});
  if (seen.entries.empty()) context.note("the trash is empty");
  return to_int(ExitCode::kDone);
}

constexpr std::array kTrashListExamples{
    Example{.line = "holdfast trash list", .says = "When, which id, why, and which workspace"},
};
constexpr std::array kTrashListExits{
    ExitNote{ExitCode::kDone, "shown; also where there is nothing"},
    ExitNote{ExitCode::kRefused, "the trash is a link, of another owner, or open to others"},
};
constexpr std::array kTrashListFields{
    JsonField{"trash",
              "for each session: `name`, `id`, `at` (when it went), `age_ms`, `reason` (why), "
              "`dir` where its files were outside of the home, `purging` where parts of it may be "
              "gone already, and `trouble` where it cannot be looked into"},
};

}  // namespace

constinit const CommandSpec kTrashListCommand{
    .name = "trash list",
    .summary = "show the workspaces and sessions that gc has removed",
    .description =
        "Lists what `holdfast gc` has moved to the trash and nobody has purged yet: when it went, "
        "the beginning of its id, the proof of its death, its name, and the old place of a "
        "directory outside of the home. Of one name the newest comes first. `being-purged` is what "
        "somebody began to remove: it cannot be brought back, and the next purge ends it. A word "
        "in brackets says why an entry cannot be looked into; it is left as it is.",
    .examples = kTrashListExamples,
    .exits = kTrashListExits,
    .json_fields = kTrashListFields,
    .run = run_trash_list,
};

}  // namespace holdfast::cli
