// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/printable.h"
#include "cli/file/file_options.h"
#include "cli/file/managed_block_options.h"
#include "cli/frame/command_line.h"
#include "cli/frame/commands.h"
#include "format/json/json.h"

namespace holdfast::cli {
namespace {

// Why the file is not in order even after that.
std::string left_text(const file::Stripped& stripped) {
  std::string text;
  for (const file::Stripped::Line& line : stripped.left) {
    text += (text.empty() ? "line " : ", line ") + std::to_string(line.number) + ": " +
            std::string(to_text(line.kind));
  }
  return "what may be an example in a code fence, or a person's comment, is left alone (" + text +
         "), so the file is not in order";
}

Result<file::Stripped> attempt(Context& context, const Args& args, const file::BlockFile& block) {
  const file::ReplaceOptions options =
      HF_TRY(locked_edit_options(context, args, "block strip-orphans"));
  if (!args.flag("apply")) {
    const std::string text = HF_TRY(file::read_text(block.path, options.links, options.trust));
    return file::plan_strip(text, block);
  }
  file::BlockReport report;
  auto done = file::strip_orphans(block, options, report);
  note_restored(context, block.path, report.restored);
  if (!done) return fail(record_refused(context, block.path, done.error()));
  if (done->file) record_replaced(context, block.path, *done->file);
  return done;
}

void block_strip_orphans_tell(Context& context, const file::Stripped& stripped) {
  Json lines = Json::array();
  for (const file::Stripped::Line& line : stripped.lines) {
    context.print(std::to_string(line.number) + ": " + printable(line.text) + "\n");
    lines.push_back({{"line", line.number}, {"kind", to_text(line.kind)}, {"text", line.text}});
  }
  Json left = Json::array();
  for (const file::Stripped::Line& line : stripped.left) left.push_back(line.number);
  Json fields{{"lines", std::move(lines)}, {"left", std::move(left)}};
  fields["applied"] = stripped.file.has_value();
  if (stripped.file) fields.update(replaced_fields(*stripped.file));
  context.emit(fields);
}

Result<int> run_block_strip_orphans(Context& context, const Args& args) {
  if (args.flag("plan") && args.flag("apply")) {
    return fail(
        usage_error("two-modes", "choose between", "--plan and --apply", "give one of them"));
  }
  const file::BlockFile block = HF_TRY(block_file_of(args, BlockId::kNotAsked));
  const file::Stripped stripped = HF_TRY(attempt(context, args, block));
  block_strip_orphans_tell(context, stripped);
  if (stripped.lines.empty() && !stripped.left.empty()) {
    return fail({.code = ErrorCode::kCorrupt,
                 .op = "strip markers from",
                 .subject = block.path,
                 .cause = std::string(to_text(stripped.left.front().kind)),
                 .detail = left_text(stripped) + "; nothing was changed"});
  }
  if (!stripped.left.empty()) context.warn(left_text(stripped));
  if (!stripped.file) {
    if (!stripped.lines.empty()) context.note("nothing was changed; --apply removes these lines");
    return to_int(ExitCode::kDone);
  }
  if (stripped.file->backup) context.note("the old version is kept as " + *stripped.file->backup);
  if (stripped.file->trouble) return fail(*stripped.file->trouble);
  return to_int(ExitCode::kDone);
}

constexpr std::array kBlockStripOrphansOwnOptions{
    OptionSpec{.name = "plan", .help = "only show the lines (default)"},
    OptionSpec{.name = "apply", .help = "remove them; the old version is kept beside the file"},
};
constexpr auto kBlockStripOrphansOptions =
    joined(joined(kBlockStripOrphansOwnOptions, kBlockSyntaxOptions), kEditOptions);

constexpr std::array kBlockStripOrphansExamples{
    Example{.line = "holdfast block strip-orphans AGENTS.md", .says = "Which lines would go?"},
    Example{.line = "holdfast block strip-orphans AGENTS.md --apply",
            .says = "Remove them, and keep the old version"},
};

constexpr std::array kBlockStripOrphansExits{
    ExitNote{ExitCode::kDone, "the lines were shown, or removed; there may be none"},
    ExitNote{ExitCode::kCorrupt,
             "all that is wrong is left alone, or it is no text; nothing was changed"},
    ExitNote{ExitCode::kNo, "there is no such file"},
    ExitNote{ExitCode::kCannotTell, "--plan: a write in place of the file is not finished"},
    ExitNote{ExitCode::kNotDurable, "they are removed, but a power cut may bring them back"},
    ExitNote{
        ExitCode::kBusy,
        "somebody holds the lock of the file or of its directory, or changed it in this moment"},
    ExitNote{ExitCode::kRefused, "the path is unsafe; nothing was changed"},
};

constexpr std::array kBlockStripOrphansOwnFields{
    JsonField{"lines", "a list with `line`, `kind` and `text` of each marker line"},
    JsonField{"left", "the other lines that are not in order, which stay"},
    JsonField{"applied", "they were removed; only then the following fields are there"},
};
constexpr auto kBlockStripOrphansFields = joined(kBlockStripOrphansOwnFields, kReplacedFields);

}  // namespace

constinit const CommandSpec kBlockStripOrphansCommand{
    .name = "block strip-orphans",
    .summary = "remove marker lines that belong to no block",
    .description =
        "Shows the marker lines that are not in order, as `LINE: TEXT`, and removes them with "
        "--apply: exactly these lines, never a line of text, whatever stands between them. Blocks "
        "that are in order stay, and so do markers inside code fences, which may be examples, and "
        "malformed ones without a digest (`>>> holdfast setup`), which may be a person's comments. "
        "What was between the removed markers is then ordinary text: look at it.",
    .options = kBlockStripOrphansOptions,
    .arguments = kBlockArguments,
    .examples = kBlockStripOrphansExamples,
    .exits = kBlockStripOrphansExits,
    .json_fields = kBlockStripOrphansFields,
    .run = run_block_strip_orphans,
};

}  // namespace holdfast::cli
