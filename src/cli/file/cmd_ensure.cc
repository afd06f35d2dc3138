// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include "cli/file/ensure_apply.h"
#include "cli/file/ensure_entries.h"
#include "cli/file/file_options.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "file/ensure/ensure.h"

namespace holdfast::cli {
namespace {

file::Links links_of_ensure(const Args& args) {
  return args.text("links") == "follow" ? file::Links::kFollow : file::Links::kRefuse;
}

int code_for(Context& context, const Args& args, const EnsureAnswer& answer) {
  if (!answer.missing.empty()) return to_int(ExitCode::kNo);
  if (answer.done.drift.empty()) return to_int(ExitCode::kDone);
  if (args.text("drift").value_or("fail") == "fail") return to_int(ExitCode::kNo);
  context.warn("of the declared paths, " + std::to_string(answer.done.drift.size()) +
               " have another mode or owner");
  return to_int(ExitCode::kDone);
}

Result<int> ensure_look_here(Context& context, const Args& args,
                             const std::vector<ManifestEntry>& entries) {
  const file::EnsurePlan plan =
      plan_ensure(entries, file::Purpose::kLook, trust_of(args), links_of_ensure(args));
  const EnsureAnswer answer = answer_of(entries, plan);
  show(context, answer);
  if (const Error* refusal = plan.refusal()) return fail(*refusal);
  return code_for(context, args, answer);
}

Result<int> run_ensure(Context& context, const Args& args) {
  const std::vector<ManifestEntry> entries = HF_TRY(entries_to_ensure(args));
  if (args.flag("check")) return ensure_look_here(context, args, entries);
  EnsureAnswer answer;
  const auto applied = apply_entries(
      context, entries,
      {.wait = args.duration("wait"), .trust = trust_of(args), .links = links_of_ensure(args)},
      answer);
  show(context, answer);
  if (!applied) return fail(applied.error());
  return code_for(context, args, answer);
}

constexpr std::array kEnsureOwnOptions{
    OptionSpec{.name = "check", .help = "change nothing; say what is missing or differs"},
    OptionSpec{.name = "drift",
               .kind = OptionKind::kChoice,
               .value = "fail|warn",
               .help = "what another mode or owner of an existing path means: `fail` (default) is "
                       "66, after what was missing has been made; `warn` only says so"},
    OptionSpec{.name = "links",
               .kind = OptionKind::kChoice,
               .value = "refuse|follow",
               .help = "what to do about symbolic links in a declared path: `refuse` (default), or "
                       "`follow` those that nobody else can change"},
    kWaitOption,
    kTrustDirOption,
};
constexpr auto kEnsureOptions = joined(kEnsureOwnOptions, kEnsureEntryOptions);

constexpr std::array kEnsureArguments{
    ArgumentSpec{.name = "MANIFEST",
                 .help = "the declared paths, TOML; may be left out with --file or --dir",
                 .arity = Arity::kOptional}};

constexpr std::array kEnsureExamples{
    Example{.line = "holdfast ensure paths.toml", .says = "Make what is missing"},
    Example{.line = "holdfast ensure paths.toml --check --json",
            .says = "What is missing or differs, changing nothing"},
    Example{.line = "holdfast ensure paths.toml --from-compose compose.yaml && docker compose up",
            .says = "Make the bind sources before the engine makes them directories of root"},
    Example{.line = "holdfast ensure --file ~/.config/tool/state.json --mode 0600 --parents",
            .says = "One file, with the directories above it"},
    Example{.line = "holdfast ensure --file ~/.gitconfig --mode 0600 --pin --links follow",
            .says = "A file that may be a link into a directory of dotfiles"},
};

constexpr std::array kEnsureExits{
    ExitNote{ExitCode::kDone, "everything is there as declared"},
    ExitNote{ExitCode::kNo,
             "a mode or owner differs (and the rest is there); a directory above is missing; with "
             "--check: something is missing or differs"},
    ExitNote{ExitCode::kCannotTell,
             "an access list, or a directory that may not be looked at, hides who can read"},
    ExitNote{ExitCode::kOsRefused, "there is no right to make or change it; nothing was changed"},
    ExitNote{ExitCode::kNotDurable, "it is there, but a power cut may still take it"},
    ExitNote{
        ExitCode::kBusy,
        "somebody holds the lock of a file or of a directory, or changed the way there in this "
        "moment"},
    ExitNote{ExitCode::kRefused,
             "a thing of another type or a link is in the way, or `readable_by` does not hold; "
             "nothing was changed"},
    ExitNote{ExitCode::kConfig,
             "the manifest is wrong, a variable is not set, a bind source is not declared, or two "
             "paths lead to the same place"},
};

}  // namespace

constinit const CommandSpec kEnsureCommand{
    .name = "ensure",
    .summary = "declared files and directories are there",
    .description =
        "Makes the files and directories that MANIFEST declares and that are missing, each with "
        "exactly its type, mode and owner, whatever the umask. Everything is looked at first: if "
        "one of them is refused, nothing is made. What exists keeps its content always, and its "
        "mode and owner unless its entry is pinned; a difference is printed.\n\n"
        "A symbolic link anywhere in a path is refused. With --links follow the entry lies where "
        "the links lead, if each of them lies in a directory that only you or root can change, and "
        "none leads to nothing. Links are never made or replaced. If somebody changes one of them "
        "meanwhile, the command exits with 75.\n\n"
        "MANIFEST is TOML: `[[path]]` entries with `path`, `type` (\"file\" or \"dir\") and `mode` "
        "(\"0644\"), and optionally `owner` (\"uid:gid\", or a user of /etc/passwd), `parents = "
        "true` (missing directories above are made, 0755, and other entries may lie in them), "
        "`initial` (the content of a new file), "
        "`pin = true` (mode and owner are set also on an existing one) and `readable_by = "
        "\"uid:gid\"`, which proves by modes and owners from the root down that this user could "
        "read it. A relative path starts at the directory of MANIFEST; `~` and `${VAR}` are "
        "expanded, and an unset variable is an error.\n\n"
        "--from-compose reads the bind mounts of a compose file (or of `docker compose config`). "
        "Every source must be declared, and only these are made, with the declared directories "
        "above them.\n\n"
        "If somebody else makes a path at the same time, theirs stays and is looked at. A new file "
        "is on stable storage when the command returns.",
    .options = kEnsureOptions,
    .arguments = kEnsureArguments,
    .examples = kEnsureExamples,
    .exits = kEnsureExits,
    .json_fields = kEnsureFields,
    .run = run_ensure,
};

}  // namespace holdfast::cli
