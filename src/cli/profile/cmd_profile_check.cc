// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/printable.h"
#include "cli/file/file_options.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/profile/profile_explain.h"

namespace holdfast::cli {
namespace {

Json trouble_json(const std::string& session, const Error& error) {
  const std::string step = step_of(error);
  return {{"name", session},      {"step", step.empty() ? Json(nullptr) : Json(step)},
          {"op", error.op},       {"subject", error.subject},
          {"cause", error.cause}, {"detail", error.detail}};
}

// One session's fault does not hide the others'.
Result<int> run_profile_check(Context& context, const Args& args) {
  const OpenProfile at = HF_TRY(open_profile(args.arguments().front(), trust_of(args)));
  std::vector<std::string> names = at.file.names();
  if (args.arguments().size() > 1) names = {args.arguments()[1]};
  Json sessions = Json::array();
  Json errors = Json::array();
  std::vector<Error> wrong;
  for (const std::string& name : names) {
    const auto plan = plan_profile(context, {.at = at, .session = name});
    std::vector<Error> own;
    if (plan) {
      const ProfileExplained explained = explain_profile(*plan);
      context.print(explained_text(*plan, explained));
      sessions.push_back(explained_json(*plan, explained));
      own = explained.trouble;
    } else {
      own.push_back(plan.error());
    }
    for (const Error& error : own) errors.push_back(trouble_json(name, error));
    wrong.insert(wrong.end(), own.begin(), own.end());
  }
  context.emit({{"path", at.path}, {"sessions", sessions}, {"errors", errors}});
  if (wrong.empty()) return to_int(ExitCode::kDone);
  for (std::size_t i = 1; i < wrong.size(); ++i) context.warn(to_sentence(wrong[i]));
  return fail(wrong.front());
}

constexpr std::array kProfileCheckArguments{
    ArgumentSpec{.name = "FILE", .help = "the profile, TOML"},
    ArgumentSpec{.name = "NAME", .help = "only this session of it", .arity = Arity::kOptional}};

constexpr std::array kProfileCheckOptions{kTrustConfigOption};

constexpr std::array kProfileCheckExamples{
    Example{.line = "holdfast profile check holdfast.toml",
            .says = "Is it right, and what would each of its sessions do?"},
    Example{.line = "holdfast profile check holdfast.toml agent --json",
            .says = "The steps of one session, for a program"},
};

constexpr std::array kProfileCheckExits{
    ExitNote{ExitCode::kDone, "it is valid, and nothing that can be seen now would stop a start"},
    ExitNote{ExitCode::kNo,
             "there is no such file or session, or something that it names; or a declared path "
             "differs, which would stop a start"},
    ExitNote{ExitCode::kRefused,
             "another user could change the file; or a link or a thing of another type is in the "
             "way of `ensure`"},
    ExitNote{ExitCode::kConfig,
             "the profile, its manifest or its layer plan is wrong; the message "
             "has line and column"},
};

constexpr std::array kProfileCheckFields{
    JsonField{"path", "of the file"},
    JsonField{"sessions",
              "of each that is valid: {`name`, `steps`}, a step being {`step`, `subject`, `says`, "
              "`found`}"},
    JsonField{"errors",
              "all of them: {`name`, `step`, `op`, `subject`, `cause`, `detail`}; `step` "
              "is null where the profile itself is not right"},
};

}  // namespace

constinit const CommandSpec kProfileCheckCommand{
    .name = "profile check",
    .summary = "is a profile right, and what would it do?",
    .description =
        "Reads FILE, the manifests and the layer plans that it names, and checks all that can be "
        "checked without doing anything. For every session it prints the steps in the order in "
        "which `holdfast run --profile` does them, with absolute paths; a line with `!` says what "
        "`ensure` would make or would not accept now. Nothing is changed and no command is run: "
        "producers, probes and layers are named only, so whether they succeed is not known.\n\n"
        "Of a session that is wrong the first fault is told, of all sessions each. A misspelt key "
        "is told with the one that was probably meant.",
    .options = kProfileCheckOptions,
    .arguments = kProfileCheckArguments,
    .examples = kProfileCheckExamples,
    .exits = kProfileCheckExits,
    .json_fields = kProfileCheckFields,
    .run = run_profile_check,
};

}  // namespace holdfast::cli
