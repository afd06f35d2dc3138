// SPDX-License-Identifier: Apache-2.0
//
// `show`, `list` and `forget` of `once`, `attempt`, `notify` and `tick`.
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/step/step_members.h"

namespace holdfast::cli {
namespace {

template <StepKind kKind>
Result<int> step_members_show(Context& context, const Args& args) {
  return show_step(context, args, kKind);
}
template <StepKind kKind>
Result<int> list(Context& context, const Args& args) {
  return list_steps(context, args, kKind);
}
template <StepKind kKind>
Result<int> forget(Context& context, const Args& args) {
  return forget_step(context, args, kKind);
}

template <StepKind kKind>
constexpr CommandSpec show_spec(std::string_view name, std::span<const Example> examples) {
  return {.name = name,
          .summary = "show what is known of a key, and its last runs",
          .description =
              "Shows the record of KEY, settled with what its session says now: a run that has "
              "ended since, or whose supervisor is gone, is shown as that. Nothing is changed.",
          .arguments = kStepKeyArguments,
          .examples = examples,
          .exits = kStepShowExits,
          .json_fields = kStepShowFields,
          .run = step_members_show<kKind>};
}

template <StepKind kKind>
constexpr CommandSpec list_spec(std::string_view name, std::span<const Example> examples) {
  return {.name = name,
          .summary = "list all keys, with how they stand",
          .description =
              "Shows a line for each key. What cannot be read is listed with the reason "
              "and never left out.",
          .examples = examples,
          .exits = kStepListExits,
          .json_fields = kStepListFields,
          .run = list<kKind>};
}

template <StepKind kKind>
constexpr CommandSpec forget_spec(std::string_view name, std::span<const Example> examples) {
  return {.name = name,
          .summary = "drop what is known of a key, so that it begins anew",
          .description =
              "Removes the record of KEY, after an entry in the journal. It is refused "
              "while a run of it is under way, or may be.",
          .options = kStepForgetOptions,
          .arguments = kStepKeyArguments,
          .examples = examples,
          .exits = kStepForgetExits,
          .json_fields = kStepForgetFields,
          .run = forget<kKind>};
}

using enum StepKind;

constexpr std::array kOnceShow{
    Example{.line = "holdfast once show migrate-7 --json", .says = "All of it, for a program"}};
constexpr std::array kOnceList{Example{.line = "holdfast once list", .says = "What was done once"}};
constexpr std::array kOnceForget{Example{
    .line = "holdfast once forget migrate-7 --reason 'rolled back'", .says = "Do it again"}};
constexpr std::array kAttemptShow{Example{.line = "holdfast attempt show fix-160",
                                          .says = "Its budget, its history, its next time"}};
constexpr std::array kAttemptList{
    Example{.line = "holdfast attempt list --json | jq '.steps[]|select(.state==\"exhausted\")'",
            .says = "What was given up"}};
constexpr std::array kAttemptForget{
    Example{.line = "holdfast attempt forget fix-160", .says = "Give it all its attempts again"}};
constexpr std::array kNotifyShow{Example{.line = "holdfast notify show pr-42",
                                         .says = "What was sent, held back, or could not be sent"}};
constexpr std::array kNotifyList{
    Example{.line = "holdfast notify list", .says = "Everything that somebody was told about"}};
constexpr std::array kNotifyForget{Example{.line = "holdfast notify forget pr-42",
                                           .says = "The next notice is sent, whatever it says"}};
constexpr std::array kTickShow{
    Example{.line = "holdfast tick show sync", .says = "Its last runs, and who works now"}};
constexpr std::array kTickList{
    Example{.line = "holdfast tick list", .says = "All that cron has run by it"}};
constexpr std::array kTickForget{
    Example{.line = "holdfast tick forget sync", .says = "Drop its history"}};

}  // namespace

constinit const CommandSpec kOnceShowCommand = show_spec<kOnce>("once show", kOnceShow);
constinit const CommandSpec kOnceListCommand = list_spec<kOnce>("once list", kOnceList);
constinit const CommandSpec kOnceForgetCommand = forget_spec<kOnce>("once forget", kOnceForget);
constinit const CommandSpec kAttemptShowCommand = show_spec<kAttempt>("attempt show", kAttemptShow);
constinit const CommandSpec kAttemptListCommand = list_spec<kAttempt>("attempt list", kAttemptList);
constinit const CommandSpec kAttemptForgetCommand =
    forget_spec<kAttempt>("attempt forget", kAttemptForget);
constinit const CommandSpec kNotifyShowCommand = show_spec<kNotify>("notify show", kNotifyShow);
constinit const CommandSpec kNotifyListCommand = list_spec<kNotify>("notify list", kNotifyList);
constinit const CommandSpec kNotifyForgetCommand =
    forget_spec<kNotify>("notify forget", kNotifyForget);
constinit const CommandSpec kTickShowCommand = show_spec<kTick>("tick show", kTickShow);
constinit const CommandSpec kTickListCommand = list_spec<kTick>("tick list", kTickList);
constinit const CommandSpec kTickForgetCommand = forget_spec<kTick>("tick forget", kTickForget);

}  // namespace holdfast::cli
