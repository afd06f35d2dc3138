// SPDX-License-Identifier: Apache-2.0
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/workspace/harness_caller.h"
#include "cli/workspace/harness_fields.h"
#include "cli/workspace/harness_found.h"
#include "cli/workspace/harness_view.h"
#include "format/json/json.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

Result<int> run_session_get(Context& context, const Args& args) {
  const Clock& clock = context.runtime().clock();
  const std::string& name = args.arguments().front();
  HarnessFound found = HF_TRY(find_harness(context, name));
  const HarnessFacts facts = HF_TRY(facts_of(*found.sessions, std::move(found.record)));
  if (args.arguments().size() == 1) {
    context.emit(harness_json(facts));
    context.print(harness_text(facts, clock.wall()));
    return to_int(ExitCode::kDone);
  }
  const std::string& key = args.arguments()[1];
  const auto value = fact_of(facts, key);
  if (!value) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "get",
                 .subject = "'" + key + "' of the session '" + name + "'",
                 .cause = "no-such-field",
                 .detail = "it has none"});
  }
  context.emit({{"name", bytes_to_json(name)}, {"key", key}, {"value", bytes_to_json(*value)}});
  context.print(*value + "\n");
  return to_int(ExitCode::kDone);
}

constexpr std::array kSessionGetArguments{
    kHarnessArgument,
    ArgumentSpec{.name = "KEY",
                 .help =
                     "only the value of this field of the harness's own, of `dir`, `resume-id`, "
                     "`authority`, `state`, or of a field of --json",
                 .arity = Arity::kOptional},
};

constexpr std::array kSessionGetExamples{
    Example{.line = "holdfast session get fix-160", .says = "All that is known of it"},
    Example{.line = "cd \"$(holdfast session get fix-160 dir)\"", .says = "Go to its directory"},
    Example{.line = "holdfast session get fix-160 branch",
            .says = "What `session set fix-160 branch=…` said"},
};

constexpr std::array kSessionGetExits{
    ExitNote{ExitCode::kDone, "shown"},
    ExitNote{ExitCode::kCorrupt, "its record is damaged; it was left as it is"},
    ExitNote{ExitCode::kNo, "there is no such session, or it has no such field"},
    ExitNote{ExitCode::kCannotTell, "its record is of a newer holdfast"},
    ExitNote{ExitCode::kRefused, "what lies in the place of its record is unsafe"},
};

constexpr auto kSessionGetFields = [] {
  std::array<JsonField, kHarnessFields.size() + 2> fields{};
  std::ranges::copy(kHarnessFields, fields.begin());
  fields[kHarnessFields.size()] = {"key", "with KEY there is nothing but `name`, this"};
  fields.back() = {"value", "and its value"};
  return fields;
}();

}  // namespace

constinit const CommandSpec kSessionGetCommand{
    .name = "session get",
    .summary = "show a session of a harness",
    .description =
        "Shows the record of the session, and who is attached as the kernel knows it now; with KEY "
        "the value alone. Whether what it stands for still lives is not asked: `holdfast gc "
        "--plan` does. Tokens are not shown.",
    .arguments = kSessionGetArguments,
    .examples = kSessionGetExamples,
    .exits = kSessionGetExits,
    .json_fields = kSessionGetFields,
    .run = run_session_get,
};

}  // namespace holdfast::cli
