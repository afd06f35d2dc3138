// SPDX-License-Identifier: Apache-2.0
#include "loop/item/item_command.h"

#include "format/loop/loop_source.h"
#include "format/loop/step_record.h"
#include "format/text/name_escape.h"
#include "os/machine/sha256.h"
#include "run/session/log_file.h"
#include "supervise/tree_request.h"

namespace holdfast::loop {
namespace {

constexpr const char* kNoticeSuffix = ":notice";
constexpr const char* kActSuffix = ":act";

Error nothing_to_run(const ItemRecord& item) {
  return {.code = ErrorCode::kConfig,
          .op = "start an act of",
          .subject = "item '" + item.id + "'",
          .cause = "no-command",
          .detail = "the loop's file has no command for what the item is waiting for any more"};
}

const LoopCommand* command_of(const LoopFile& file, const ItemRecord& item, ItemPurpose purpose) {
  const auto pointer = [](const auto& command) { return command ? &*command : nullptr; };
  const auto verify_of = [&](const std::optional<LoopAct>& act) {
    return act ? pointer(act->verify) : nullptr;
  };
  if (purpose.notice) return pointer(file.notify);
  switch (purpose.kind) {
    case ItemAct::Kind::kRun:
      return pointer(file.run);
    case ItemAct::Kind::kVerify:
      if (item.state == ItemState::kSuccessUnsure) return verify_of(file.on_success);
      if (item.state == ItemState::kFailureUnsure) return verify_of(file.on_failure);
      return pointer(file.verify);
    case ItemAct::Kind::kSuccess:
      return file.on_success ? &file.on_success->run : nullptr;
    case ItemAct::Kind::kFailure:
      return file.on_failure ? &file.on_failure->run : nullptr;
  }
  __builtin_unreachable();
}

Duration timeout_of(const LoopFile& file, ItemPurpose purpose) {
  if (purpose.notice) return file.act_timeout;
  const auto of = [&](const std::optional<LoopAct>& act) {
    return act && act->timeout ? *act->timeout : file.act_timeout;
  };
  if (purpose.kind == ItemAct::Kind::kSuccess) return of(file.on_success);
  if (purpose.kind == ItemAct::Kind::kFailure) return of(file.on_failure);
  return purpose.kind == ItemAct::Kind::kRun ? file.timeout : file.act_timeout;
}

Result<run::RunOrder> plain_order(const LoopFile& file, const ItemRecord& item, ItemPurpose purpose,
                                  const CommandInput& input) {
  const LoopCommand* command = command_of(file, item, purpose);
  if (command == nullptr) return fail(nothing_to_run(item));
  run::RunOrder order;
  auto words = fill_command(*command, input.json);
  if (!words) return fail(words.error());
  order.what.command = *std::move(words);
  order.what.directory = file.directory;
  order.what.grace = supervise::kDefaultGrace;
  order.what.verify_timeout = run::kDefaultVerifyTimeout;
  order.what.log = true;
  order.what.log_max = run::kDefaultLogMax;
  return order;
}

}  // namespace

Result<std::string> session_of(const LoopFile& file, const std::string& id,
                               const std::string& json) {
  std::string name = file.name + "-" + id;
  if (!file.session.empty()) {
    auto filled = fill_text(file.session, json);
    if (!filled) return fail(filled.error());
    name = *std::move(filled);
  }
  if (escape_name(name + kNoticeSuffix, platform_name_rules())) return name;
  // Too long once it is escaped: a name that is as good as unique.
  constexpr std::size_t kDigits = 32;
  return file.name + "-" + to_hex(os::sha256(name)).substr(0, kDigits);
}

std::string follow_up_session(const ItemRecord& item) { return item.session + kActSuffix; }
std::string notice_session(const ItemRecord& item) { return item.session + kNoticeSuffix; }

bool is_internal_session(const SessionRecord& record) {
  const std::string_view name = record.name;
  return record.counted && (name.ends_with(kNoticeSuffix) || name.ends_with(kActSuffix) ||
                            name.starts_with(step_session(StepKind::kNotify, "")));
}

bool has_command(const LoopFile& file, const ItemRecord& item, ItemPurpose purpose) {
  return command_of(file, item, purpose) != nullptr;
}

Result<run::RunOrder> item_run_order(const LoopFile& file, const ItemRecord& item,
                                     ItemPurpose purpose, const CommandInput& input,
                                     const ProfileOrder& profile) {
  const bool is_run = !purpose.notice && purpose.kind == ItemAct::Kind::kRun;
  auto made =
      is_run && file.profile ? profile(input.json) : plain_order(file, item, purpose, input);
  if (!made) return fail(made.error());
  run::RunOrder order = *std::move(made);
  const ItemAct& act = purpose.notice ? *item.notice.act : *item.act;
  order.name = act.session;
  order.run = act.run;
  order.ground = run::Ground::kBack;
  order.progress = false;
  SessionOrder& run = order.what;
  const bool has_own_deadline = is_run && file.profile && run.timeout;
  if (!has_own_deadline) run.timeout = timeout_of(file, purpose);
  if (is_run && file.idle_timeout) run.idle_timeout = file.idle_timeout;
  if (is_run && file.own_pid_namespace) run.own_pid_namespace = true;
  if (file.grace) run.grace = *file.grace;
  run.stdin_path = input.stdin_path;
  for (const std::string& one : file.environment) run.environment.push_back(one);
  run.environment.push_back("HOLDFAST_LOOP=" + file.name);
  run.environment.push_back("HOLDFAST_ITEM_ID=" + item.id);
  run.environment.push_back("HOLDFAST_ATTEMPT=" + std::to_string(item.attempts));
  if (is_run) {
    run.locks.insert(run.locks.end(), file.locks.begin(), file.locks.end());
    order.lock_wait = Duration::zero();  // the loop does not wait for it: the item is put off
  }
  return order;
}

}  // namespace holdfast::loop
