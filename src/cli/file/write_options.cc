// SPDX-License-Identifier: Apache-2.0
#include "cli/file/write_options.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/units.h"
#include "cli/file/content_source.h"
#include "cli/file/file_lock.h"
#include "cli/frame/command_line.h"
#include "cli/frame/option_value.h"
#include "cli/frame/user_file.h"
#include "file/ensure/passwd.h"
#include "file/replace/content_check.h"
#include "file/replace/old_file.h"
#include "format/file/owner_text.h"
#include "format/json/json.h"
#include "format/text/nearest.h"
#include "format/text/rfc3339.h"
#include "os/machine/real_clock.h"

namespace holdfast::cli {
namespace {

Result<std::optional<file::Owner>> owner_of(const Args& args) {
  const auto word = args.text("owner");
  if (!word) return std::nullopt;
  const auto owner = parse_owner(*word);
  if (!owner) return bad_value("owner", *word, "an owner is `UID:GID` or the name of a user");
  const Ids ids = HF_TRY(file::resolve_owner(*owner));
  return file::Owner{.uid = ids.uid, .gid = ids.gid};
}

Result<std::optional<file::MaxShrink>> max_shrink_of(const Args& args) {
  const auto word = args.text("max-shrink");
  if (!word) return std::nullopt;
  if (!word->ends_with('%')) {
    const auto size = parse_size(*word);
    if (!size) return bad_value("max-shrink", *word, "it is a part, `50%`, or a size, `4KiB`");
    return file::MaxShrink{.amount = *size, .percent = false};
  }
  unsigned percent = 0;
  const char* end = word->data() + word->size() - 1;
  const auto [at, fault] = std::from_chars(word->data(), end, percent);
  if (fault != std::errc() || at != end || percent > 100) {
    return bad_value("max-shrink", *word, "a part is `0%` to `100%`");
  }
  return file::MaxShrink{.amount = percent, .percent = true};
}

// Before anything is done: a stamp that cannot be written is better known now, and one over the
// file itself would be all that is left of it.
Result<> check_stamp(const Args& args, const file::ReplaceOptions& options) {
  const auto stamp = args.text("stamp");
  if (!stamp) return {};
  const file::Target there = HF_TRY(file::locate(*stamp, file::Links::kRefuse, options.trust));
  const auto seen = HF_TRY(file::look_at(there, file::Links::kRefuse));
  if (seen) HF_TRY(file::check_old(there, *seen, {}));
  const auto target = file::locate(args.arguments().front(), options.links);
  if (!target) return {};  // the command itself says so
  const os::FileId here = HF_TRY(target->dir.info()).id;
  if (here != HF_TRY(there.dir.info()).id || target->name != there.name) return {};
  return bad_value("stamp", *stamp, "it is the file that shall be written");
}

// A mistyped kind would be run as a command, and its failure would look like bad content.
Result<> check_word(const std::string& word) {
  constexpr std::array<std::string_view, 4> kKinds{"json", "jsonl", "toml", "utf8"};
  if (word.empty()) return bad_value("check", word, "the command is empty");
  const auto near = nearest(word, kKinds);
  if (!near || *near == word) return {};
  return bad_value("check", word, "did you mean `" + std::string(*near) + "`?");
}

std::vector<file::Check> checks_of(const Args& args, const Limits& limits) {
  std::vector<file::Check> checks;
  for (const std::string& word : args.texts("check")) {
    auto built_in = file::built_in_check(word);
    checks.push_back(built_in ? std::move(*built_in) : command_check(word, limits));
  }
  return checks;
}

// What is left to do after a commit: the trouble it had is told; where it had none, the file of
// --stamp is written. Errors: `done.trouble`, and then there is no new stamp; kNotDurable
// `stamp-failed`, which says that the file itself has its new content.
Result<> finish_write(Context& context, const Args& args, const std::string& path,
                      const file::Replaced& done) {
  if (done.trouble) return fail(*done.trouble);
  const auto stamp = args.text("stamp");
  if (!stamp) return {};
  const Json line = {{"path", absolute_path(path).value_or(path)},
                     {"sha256", to_hex(done.new_digest)},
                     {"changed", done.changed},
                     {"time", format_rfc3339(os::RealClock().wall())}};
  file::ReplaceOptions options;
  const file::ReplaceOptions asked = HF_TRY(edit_options(args));
  options.durability = asked.durability;
  options.trust = asked.trust;
  options.gate = asked.gate;
  FileLocks::Request request = HF_TRY(file_locks_for(args, "write --stamp", asked));
  request.path = *stamp;
  request.links = options.links;
  options.edit_lock = edit_lock(context.runtime(), std::move(request));
  const auto written = file::replace(*stamp, line.dump() + "\n", options);
  if (written && !written->trouble) return {};
  // The codes of writing say "unchanged", which is true of the stamp only.
  const Error& error = written ? *written->trouble : written.error();
  return fail({.code = ErrorCode::kNotDurable,
               .op = "write the stamp",
               .subject = *stamp,
               .cause = "stamp-failed",
               .detail = to_sentence(error) + "; " + path + " itself has its new content",
               .os_code = error.os_code});
}

}  // namespace

Result<file::ReplaceOptions> write_options(const Args& args, const Limits& limits) {
  file::ReplaceOptions options = HF_TRY(edit_options(args));
  options.mode = HF_TRY(mode_value(args));
  options.owner = HF_TRY(owner_of(args));
  if (args.text("meta") == "pin") {
    options.meta = file::Meta::kPin;
    if (!options.mode) {
      return fail(usage_error("missing-option", "use", "--meta pin",
                              "it needs --mode: what shall the mode be pinned to?"));
    }
  }
  if (const auto duration = args.duration("timeout"); duration && *duration <= Duration::zero()) {
    return bad_value("timeout", *args.text("timeout"), "it is more than 0; leave it out for none");
  }
  options.max_shrink = HF_TRY(max_shrink_of(args));
  options.min_bytes =
      std::max<std::uint64_t>(args.size("min-bytes").value_or(0), args.flag("allow-empty") ? 0 : 1);
  for (const std::string& word : args.texts("check")) HF_TRY(check_word(word));
  options.checks = checks_of(args, limits);
  HF_TRY(check_stamp(args, options));
  return options;
}

Result<std::vector<std::vector<std::string>>> stages_of(const Args& args) {
  std::vector<std::vector<std::string>> stages(1);
  if (!args.flag("pipe")) {
    stages.front() = args.trailing();
    return stages;
  }
  for (const std::string& word : args.trailing()) {
    if (word == "|") {
      stages.emplace_back();
    } else {
      stages.back().push_back(word);
    }
  }
  for (const auto& stage : stages) {
    if (!stage.empty()) continue;
    return fail(usage_error("missing-argument", "run", "the commands after `--`",
                            "between two `|`, or before or after one, there is no command"));
  }
  return stages;
}

Limits limits_of(const Args& args, const std::optional<std::string>& directory) {
  return {.timeout = args.duration("timeout"),
          .grace = args.duration("grace").value_or(supervise::kDefaultGrace),
          .directory = directory};
}

Result<int> answer_write(Context& context, const Args& args, const Result<file::Replaced>& done,
                         const Limits& limits, Json fields) {
  const std::string& path = args.arguments().front();
  if (!done) {
    context.emit(fields);
    Error refused = record_refused(context, path, done.error());
    if (!*limits.interrupted) return fail(std::move(refused));
    context.report(refused);
    return exit_status_of_signal(**limits.interrupted);
  }
  fields.update(replaced_fields(*done));
  context.emit(fields);
  record_replaced(context, path, *done);
  HF_TRY(finish_write(context, args, path, *done));
  return to_int(ExitCode::kDone);
}

}  // namespace holdfast::cli
