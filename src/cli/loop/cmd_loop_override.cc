// SPDX-License-Identifier: Apache-2.0
//
// `loop retry` and `loop done`: what a person says about items.
#include <array>

#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "cli/lock/lock_options.h"
#include "cli/loop/loop_state.h"
#include "format/json/json.h"
#include "loop/intent/intent.h"
#include "loop/item/manual_override.h"
#include "runtime/runtime.h"
#include "session/record/view.h"

namespace holdfast::cli {
namespace {

// Force is for what cannot be read or judged, and not for what is seen to run.
bool is_live(const session::SessionStore& sessions, const ItemRecord* item) {
  if (item == nullptr || !item->act) return false;
  const auto trace = session::trace_of(sessions, item->act->session, item->act->run);
  return trace && trace->kind == session::Trace::Kind::kUnder;
}

// One item after the other; what failed is said, and the first failure is the answer.
template <typename Change>
Result<int> change_items(Context& context, const Args& args, std::string_view event,
                         const Change& change) {
  const LoopState state = HF_TRY(find_loop(context, args.arguments().front(), trust_of(args)));
  const TimeMark now = HF_TRY(loop::moment_now(context.runtime().clock()));
  const std::string reason = args.text("reason").value_or("");
  Json changed = Json::array();
  std::optional<Error> trouble;
  for (std::size_t i = 1; i < args.arguments().size(); ++i) {
    const std::string& id = args.arguments()[i];
    auto under_way = loop::UnderWay::kLeaveAlone;
    if (args.flag("force") &&
        !is_live(*HF_TRY(context.runtime().sessions()), state.log->find(id))) {
      under_way = loop::UnderWay::kForce;
    }
    const auto item = change(*state.log, id, under_way, now);
    if (!item) {
      if (trouble) context.warn(to_sentence(item.error()));
      if (!trouble) trouble = item.error();
      continue;
    }
    EventData data;
    data.text("loop", state.file.name).text("item", id);
    data.text("state", std::string(to_text(item->state)));
    if (!reason.empty()) data.text("reason", reason);
    const auto told = context.runtime().events().record({.type = event, .data = std::move(data)});
    if (!told) context.warn("this is not on record: " + to_sentence(told.error()));
    changed.push_back({{"id", bytes_to_json(id)}, {"state", to_text(item->state)}});
    context.print(id + " " + std::string(to_text(item->state)) + "\n");
  }
  flush_events(context);
  context.emit({{"name", bytes_to_json(state.file.name)}, {"items", std::move(changed)}});
  if (trouble) return fail(*trouble);
  return to_int(ExitCode::kDone);
}

Result<int> run_loop_retry(Context& context, const Args& args) {
  return change_items(context, args, "loop.retried", [&](auto& log, const auto& id, auto... rest) {
    return loop::retry_item(log, id, args.flag("from-start"), rest...);
  });
}

Result<int> run_loop_done(Context& context, const Args& args) {
  return change_items(context, args, "loop.settled", [&](auto& log, const auto& id, auto... rest) {
    return loop::settle_item(log, id, args.text("reason").value_or(""), rest...);
  });
}

constexpr OptionSpec kForce{
    .name = "force",
    .help =
        "also where something is under way that cannot be told to run: your word that it is "
        "over"};
constexpr std::array kLoopRetryOptions{
    kForce,
    OptionSpec{.name = "from-start",
               .help = "also where its run was verified and only on_success is missing"},
    OptionSpec{
        .name = "reason", .kind = OptionKind::kText, .value = "TEXT", .help = "for the journal"},
    kTrustConfigOption,
};
constexpr std::array kLoopDoneOptions{
    kForce,
    OptionSpec{.name = "reason",
               .kind = OptionKind::kText,
               .value = "TEXT",
               .help = "how you know, for the record and the journal"},
    kTrustConfigOption,
};
constexpr std::array kLoopItems{
    kLoopFileArgument, ArgumentSpec{.name = "ITEM", .help = "its id", .arity = Arity::kOneOrMore}};
constexpr std::array kLoopRetryExamples{Example{.line = "holdfast loop retry fix.toml 160",
                                                .says = "It is due now, with all its attempts"}};
constexpr std::array kLoopDoneExamples{
    Example{.line = "holdfast loop done fix.toml 160 --reason 'merged by hand'",
            .says = "Your word that nothing is left to do"}};
constexpr std::array kOverrideExits{
    ExitNote{ExitCode::kDone, "it is on record"},
    ExitNote{ExitCode::kCorrupt, "the log of the items is damaged; nothing was changed"},
    ExitNote{ExitCode::kNo, "the loop has no such item"},
    ExitNote{ExitCode::kBusy, "something is under way for the item; its session is named"},
    ExitNote{ExitCode::kRefused, "its state does not allow it, or another user could change FILE"},
    ExitNote{ExitCode::kConfig, "the file is wrong"},
};
constexpr std::array kOverrideFields{
    JsonField{"name", "of the loop"},
    JsonField{"items", "`id` and `state` of each that was changed"},
};

}  // namespace

constinit const CommandSpec kLoopRetryCommand{
    .name = "loop retry",
    .summary = "let a loop try items again",
    .description =
        "For an item that is `unknown`, was given up, waits for its next attempt, or cannot be "
        "verified: its attempts begin anew, and it is due now. Look first at what the last attempt "
        "did (`holdfast logs SESSION`): where nobody could tell, this is your word that it may be "
        "repeated. One whose run was verified goes on with on_success. A working loop takes it up "
        "at once.",
    .options = kLoopRetryOptions,
    .arguments = kLoopItems,
    .examples = kLoopRetryExamples,
    .exits = kOverrideExits,
    .json_fields = kOverrideFields,
    .run = run_loop_retry,
};

constinit const CommandSpec kLoopDoneCommand{
    .name = "loop done",
    .summary = "say that items of a loop are done",
    .description =
        "A person's word in place of the verification: for an item that is `unknown`, or was seen "
        "to by hand. on_success is not run.",
    .options = kLoopDoneOptions,
    .arguments = kLoopItems,
    .examples = kLoopDoneExamples,
    .exits = kOverrideExits,
    .json_fields = kOverrideFields,
    .run = run_loop_done,
};

}  // namespace holdfast::cli
