// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/import_home.h"
#include "cli/import_locks.h"
#include "cli/user_file.h"
#include "os/real_clock.h"

namespace holdfast::cli {
namespace {

Result<int> import_locks(Context& context, const Args& args, std::string_view word,
                         LockFileKind kind) {
  const os::RealClock clock;
  ImportReport report{.kind = word, .applied = args.flag("apply")};
  report.source = HF_TRY(absolute_path(args.arguments().front()));
  ImportHome home = HF_TRY(ImportHome::open(context, word));
  report.records = HF_TRY(judge_lock_files(report.source, kind, clock));
  for (ImportRecord& record : report.records) HF_TRY(settle(home, record, report.applied));
  return answer_import(context, report);
}

Result<int> run_sidecars(Context& context, const Args& args) {
  return import_locks(context, args, "sidecars", LockFileKind::kSidecar);
}

Result<int> run_pipeline(Context& context, const Args& args) {
  return import_locks(context, args, "pipeline-locks", LockFileKind::kPipeline);
}

constexpr std::array kImportLocksArguments{
    ArgumentSpec{.name = "DIR", .help = "the directory that they lie in; no link"}};

constexpr std::array kSidecarExamples{
    Example{.line = "holdfast import sidecars ~/project/.claude",
            .says = "Which lock files are free, and who has the others"},
    Example{.line = "holdfast import sidecars ~/project/.claude --apply",
            .says = "Put it on record; from then on `holdfast lock --file` uses the same files"},
};
constexpr std::array kPipelineExamples{
    Example{.line = "holdfast import pipeline-locks .claude/locks",
            .says = "Which sessions are dead, and of which it cannot be told"},
    Example{.line = "holdfast import pipeline-locks .claude/locks --apply --json | jq .counts",
            .says = "Put the dead ones on record"},
};

}  // namespace

constinit const CommandSpec kImportSidecarsCommand{
    .name = "import sidecars",
    .summary = "look at lock files that are only flocked",
    .description =
        "Looks at each `.NAME.lock` in DIR. Such a file needs no conversion: `holdfast lock "
        "--file NAME` flocks the very same one, so old and new exclude each other. What is told is "
        "whether that is safe: it is free, or held (by the process that the kernel names), or a "
        "link, or has something in it that a lock file of this kind does not have.\n\n"
        "Where the kernel names nobody, the lock is tried once and given back at once.",
    .options = kImportOptions,
    .arguments = kImportLocksArguments,
    .examples = kSidecarExamples,
    .exits = kImportExits,
    .json_fields = kImportFields,
    .run = run_sidecars,
};

constinit const CommandSpec kImportPipelineLocksCommand{
    .name = "import pipeline-locks",
    .summary = "judge lock files that hold a process number",
    .description =
        "Looks at each `NAME.lock` in DIR: JSON with `session`, `pid` and `started_at`, or a bare "
        "number. One that is flocked is held, whatever it says: an agent that outlived its engine "
        "may have inherited the lock. One whose process is dead is importable: with --apply the "
        "event `import.done` says so, and the file stays where it is. One whose number is in use, "
        "or that is empty, is unknown, and nothing is done about it.\n\n"
        "From then on the session's lock is `holdfast lock NAME` or `holdfast acquire NAME`, which "
        "no start-up clean-up is needed for.",
    .options = kImportOptions,
    .arguments = kImportLocksArguments,
    .examples = kPipelineExamples,
    .exits = kImportExits,
    .json_fields = kImportFields,
    .run = run_pipeline,
};

}  // namespace holdfast::cli
