// SPDX-License-Identifier: Apache-2.0
//
// Two who read the same content, change it and write it back lose one of the changes. The file's
// lock keeps updates of one file apart, whoever takes it, and fences the commit. Somebody who takes
// no lock at all may still change the file while the filter runs: that is noticed at the commit,
// and the filter runs again on what is there now.

#include "base/cause.h"
#include "cli/file/content_source.h"
#include "cli/file/file_lock.h"
#include "cli/file/file_options.h"
#include "cli/file/write_options.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "file/replace/old_file.h"
#include "file/replace/replace.h"
#include "file/replace/target.h"

namespace holdfast::cli {
namespace {

constexpr int kMostTries = 16;
Error absent(const std::string& path) {
  return {.code = ErrorCode::kNotFound,
          .op = "update",
          .subject = path,
          .cause = cause::kEnoent,
          .detail = "there is no such file (--create begins with an empty one)"};
}

// What is refused anyway leaves no lock file behind.
Result<> look_first(const file::Target& target, const Args& args,
                    const file::ReplaceOptions& options) {
  if (const auto seen = HF_TRY(file::look_at(target, options.links)))
    return file::check_old(target, *seen, options);
  return args.flag("create") ? Result<>() : fail(absent(target.path));
}

Result<file::Replaced> filter_once(Context& context, const Args& args, const FileLocks& locks,
                                   const file::ReplaceOptions& options, const Limits& limits,
                                   Json& stages) {
  file::Replacement job = HF_TRY(file::Replacement::begin(args.arguments().front(), options));
  note_restored(context, job.path(), job.restored_old_content());
  if (!job.exists() && !args.flag("create")) return fail(absent(job.path()));
  const Producer filter{.stages = HF_TRY(stages_of(args)),
                        .input = job.old_file(),
                        .reads_nothing = true,
                        .limits = limits,
                        .environment = locks.environment()};
  HF_TRY(fill_from_commands(job, filter, stages));
  return job.commit();
}

Result<file::Replaced> update(Context& context, const Args& args, file::ReplaceOptions options,
                              const Limits& limits, Json& fields) {
  const file::Target target = HF_TRY(target_of(args, options));
  HF_TRY(look_first(target, args, options));
  HF_TRY(check_gate(options.gate.get()));
  FileLocks::Request request = HF_TRY(file_locks_for(args, "update", options));
  request.lock.any = any_file_system(args);
  const auto locks = HF_TRY(FileLocks::take(context.runtime(), request, target, kMakeLock));
  options.gate = locks->gate();
  for (int tries = 1;; ++tries) {
    fields["tries"] = tries;
    auto done = filter_once(context, args, *locks, options, limits, fields["producer"]);
    if (done || done.error().cause != cause::kChangedMeanwhile || tries >= kMostTries) return done;
  }
}

Result<int> run_update(Context& context, const Args& args) {
  const Limits limits = limits_of(args);
  file::ReplaceOptions options = HF_TRY(write_options(args, limits));
  options.base = file::Base::kAsRead;
  HF_TRY(stages_of(args));
  Json fields;
  const auto done = update(context, args, std::move(options), limits, fields);
  return answer_write(context, args, done, limits, std::move(fields));
}

constexpr std::array kUpdateOwnOptions{
    OptionSpec{.name = "create", .help = "where there is no file, begin with an empty one"},
    kAllowFsOption,
};
constexpr auto kUpdateOptions = joined(joined(kUpdateOwnOptions, kWriteOptions), kEditOptions);

constexpr std::array kUpdateArguments{ArgumentSpec{.name = "PATH", .help = "the file"}};

constexpr std::array kUpdateExamples{
    Example{.line = "holdfast update counter -- awk '{ print $1 + 1 }'",
            .says = "Any number of these at once lose no step"},
    Example{.line = "holdfast update settings.json --check json -- jq '.theme = \"dark\"'",
            .says = "Change one key of a file that others change too"},
    Example{.line = "holdfast update words --create --pipe -- sh -c 'cat; echo new' '|' sort -u",
            .says = "Two commands in a row, on a file that may not be there yet"},
};

constexpr std::array kUpdateExits{
    ExitNote{ExitCode::kDone, "the file has the new content (or the filter changed nothing)"},
    ExitNote{ExitCode::kCorrupt,
             "the filter failed, or its output is refused; nothing was changed"},
    ExitNote{ExitCode::kNo, "there is no such file, and no --create"},
    ExitNote{ExitCode::kCannotTell,
             "a --check could not be run or ran out of --budget, or a lock that this runs under "
             "cannot be asked; nothing was changed"},
    kEditIoExit,
    ExitNote{ExitCode::kNotDurable,
             "the new content is in place, but a power cut may undo it, or the --stamp could not "
             "be written"},
    ExitNote{ExitCode::kBusy,
             "another update of the same file took too long, or somebody else changed it again and "
             "again"},
    ExitNote{ExitCode::kRefused,
             "an unsafe path: a link, another owner, hard links, a special file, a mount point; or "
             "a lock that this runs under is another's by now (`lock-lost`)"},
    ExitNote{ExitCode::kConfig, "no home can be found; the lock of a file needs one"},
};

constexpr std::array kUpdateOwnFields{
    JsonField{"tries", "how often the filter was run"},
    JsonField{"producer", "a list with `command`, `exit_code`, `signal` and `started` of each"}};
constexpr auto kUpdateFields = joined(kReplacedFields, kUpdateOwnFields);

}  // namespace

constinit const CommandSpec kUpdateCommand{
    .name = "update",
    .summary = "change a file by a filter, losing nobody's change",
    .description =
        "Runs the command after `--`, without a shell, with the content of the file on its "
        "standard input, and replaces the file by what it prints, as `holdfast write` does. Output "
        "that equals the old content changes nothing.\n\n"
        "It is done under the file's lock, that of `holdfast lock --file`: `flock` on `.NAME.lock` "
        "beside it, which other programs can take too, and a record in `.NAME.hold`; both stay "
        "there. Updates of one file wait for each other (--wait). Under `holdfast lock --file` of "
        "the same file the lock is not taken twice. If somebody changes the file without the lock "
        "while the filter runs, the filter is run again on the new content.\n\n"
        "If the lock, or one that this process runs under (HOLDFAST_CHAIN), was taken by somebody "
        "else meanwhile, nothing is changed (77).",
    .options = kUpdateOptions,
    .arguments = kUpdateArguments,
    .trailing = Trailing::kFilter,
    .examples = kUpdateExamples,
    .exits = kUpdateExits,
    .json_fields = kUpdateFields,
    .brief = kUpdateBrief,
    .run = run_update,
};

}  // namespace holdfast::cli
