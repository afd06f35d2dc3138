// SPDX-License-Identifier: Apache-2.0
#include "cli/file/write_perform.h"

#include "cli/file/content_source.h"
#include "cli/file/file_lock.h"
#include "cli/file/file_options.h"
#include "cli/file/write_options.h"
#include "cli/frame/command_line.h"
#include "file/replace/replace.h"
#include "format/json/json.h"

namespace holdfast::cli {
namespace {

Result<> check_sources(const Args& args, const WriteGround& ground) {
  if (args.text("from") && !args.trailing().empty()) {
    return fail(usage_error("two-sources", "take the content from", "--from and a command",
                            "give one of them"));
  }
  if (args.flag("pipe") && args.trailing().empty()) {
    return fail(usage_error("missing-argument", "use", "--pipe", "it needs commands after `--`"));
  }
  const bool runs = !args.trailing().empty();
  if (args.flag("allow-unchecked") && runs) {
    return fail(usage_error("conflict", "use", "--allow-unchecked",
                            "holdfast sees whether the command after `--` succeeds"));
  }
  const bool limits = args.duration("timeout") || args.duration("grace");
  if (limits && !runs && args.texts("check").empty()) {
    return fail(usage_error("missing-option", "use",
                            args.duration("timeout") ? "--timeout" : "--grace",
                            "it requires a command after `--` or --check"));
  }
  if (args.text("from") || runs) return {};
  if (!ground.has_stdin) {
    return fail(usage_error("missing-argument", "take the content from", "nothing",
                            "give --from or a command"));
  }
  return check_stdin(args.flag("allow-unchecked") || !args.texts("check").empty());
}

Result<> fill(file::Replacement& job, const Args& args, const WriteGround& ground,
              const Limits& limits, Json& stages) {
  if (const auto from = args.text("from")) return fill_from_file(job, *from);
  if (args.trailing().empty()) return fill_from_stdin(job);
  Producer producer;
  producer.stages = HF_TRY(stages_of(args));
  producer.reads_nothing = !ground.has_stdin;
  producer.limits = limits;
  return fill_from_commands(job, producer, stages);
}

}  // namespace

Result<> check_write(const Args& args, const WriteGround& ground) {
  HF_TRY(write_options(args, limits_of(args, ground.directory)));
  HF_TRY(stages_of(args));
  return check_sources(args, ground);
}

Result<int> perform_write(Context& context, const Args& args, const WriteGround& ground) {
  const std::string& path = args.arguments().front();
  const Limits limits = limits_of(args, ground.directory);
  file::ReplaceOptions options = HF_TRY(write_options(args, limits));
  options.edit_lock = edit_lock(context.runtime(), HF_TRY(file_locks_for(args, "write", options)));
  HF_TRY(stages_of(args));
  HF_TRY(check_sources(args, ground));
  Json fields;
  const auto attempt = [&]() -> Result<file::Replaced> {
    file::Replacement job = HF_TRY(file::Replacement::begin(path, options));
    note_restored(context, job.path(), job.restored_old_content());
    HF_TRY(fill(job, args, ground, limits, fields["producer"]));
    return job.commit();
  };
  const auto done = attempt();
  return answer_write(context, args, done, limits, std::move(fields));
}

}  // namespace holdfast::cli
