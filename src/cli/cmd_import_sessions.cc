// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/path_text.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/gc_home.h"
#include "cli/import_home.h"
#include "cli/import_sessions.h"
#include "cli/user_file.h"
#include "os/real_clock.h"

namespace holdfast::cli {
namespace {

Result<int> run_import_sessions(Context& context, const Args& args) {
  const os::RealClock clock;
  ImportReport report{.kind = "sessions", .applied = args.flag("apply")};
  const std::string directory = HF_TRY(absolute_path(args.arguments().front()));
  report.source = std::string(without_trailing_separators(directory));
  const SessionImport order{.directory = report.source,
                            .prefix = args.text("prefix").value_or(std::string(kSessionPrefix)),
                            .authority = args.text("authority"),
                            .apply = report.applied};
  ImportHome known = HF_TRY(ImportHome::open(context, report.kind));
  const auto home = HF_TRY(GcHome::open(context, clock));
  report.records = HF_TRY(import_sessions(home->services(), order));
  flush_events(context, home->run().events());
  for (const ImportRecord& record : report.records) {
    if (record.verdict == ImportVerdict::kImported) HF_TRY(known.record(record));
  }
  return answer_import(context, report);
}

constexpr std::array kImportSessionsOptions{
    OptionSpec{.name = "prefix",
               .kind = OptionKind::kText,
               .value = "TEXT",
               .help = "what stands before the four digits, in place of `.claude-container-`"},
    OptionSpec{.name = "authority",
               .kind = OptionKind::kText,
               .value = "KIND:ID",
               .help = "who knows whether it lives, as for `session new`; `{*}` stands for the "
                       "four digits"},
    kImportApply,
};

constexpr std::array kImportSessionsArguments{
    ArgumentSpec{.name = "DIR", .help = "the directory that they lie in; no link"}};

constexpr std::array kImportSessionsExamples{
    Example{.line = "holdfast import sessions ~",
            .says = "Which session directories there are, and what is in the way"},
    Example{.line = "holdfast import sessions ~ --authority 'docker:box-web-{*}' --apply",
            .says = "A record for each; `holdfast gc` asks docker whether it lives"},
    Example{.line = "holdfast import sessions ~ --prefix .dock-",
            .says = "Those of a harness that names them `.dock-ab12`"},
};

}  // namespace

constinit const CommandSpec kImportSessionsCommand{
    .name = "import sessions",
    .summary = "give a harness's session directories records",
    .description =
        "Looks at each `.claude-container-<4 hex digits>` in DIR (--prefix: what another harness "
        "calls them) and, with --apply, gives it a record in the home, as `holdfast gc "
        "--adopt-dir` does: the directory stays where it is and as it is. Its name is that of the "
        "directory, its resume id the UUID in its `session-id`. One that is being launched is "
        "held, a link is refused.\n\n"
        "Without --authority nobody vouches for such a session, and `holdfast gc` keeps it until "
        "`holdfast session end`. Stop the old clean-up before: it removes what it takes for dead "
        "and asks no record.",
    .options = kImportSessionsOptions,
    .arguments = kImportSessionsArguments,
    .examples = kImportSessionsExamples,
    .exits = kImportExits,
    .json_fields = kImportFields,
    .run = run_import_sessions,
};

}  // namespace holdfast::cli
