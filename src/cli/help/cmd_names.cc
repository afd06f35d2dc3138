// SPDX-License-Identifier: Apache-2.0
//
// `__names KIND [PREFIX]`: what shell completions offer. Not in the manual: it is the completions'
// own, and may change with them.
//
// Guarantee: it makes nothing, takes no lock, waits for nobody, and never complains: what cannot be
// read is not offered. It reads directories and no records, so it is as quick at a thousand names.
#include <algorithm>
#include <string>
#include <vector>

#include "base/printable.h"
#include "cli/frame/args.h"
#include "cli/frame/commands.h"
#include "cli/frame/context.h"
#include "format/journal/event_type.h"
#include "format/text/name_escape.h"
#include "lock/ledger/status.h"
#include "os/path/safe_name.h"
#include "runtime/runtime.h"
#include "session/record/layout.h"
#include "session/record/store.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t kMostOffered = 1000;  // a shell asks before it shows a hundred

using Names = std::vector<std::string>;

// Those that begin with `prefix`; what a terminal or a shell's list of lines cannot hold is not
// offered.
void offer_name(Names& names, std::string_view prefix, std::string name) {
  if (name.starts_with(prefix) && printable(name) == name) names.push_back(std::move(name));
}

Result<Names> names_of_directories(Context& context, std::string_view prefix,
                                   const os::SafeName& holding) {
  Names names;
  const auto* store = HF_TRY(context.runtime().find_sessions());
  if (store == nullptr) return names;
  for (std::string& name : HF_TRY(store->names())) {
    if (!name.starts_with(prefix)) continue;
    const auto dir = store->find(name);
    if (!dir || !*dir) continue;
    const auto record = (*dir)->dir().info(holding);
    if (record && *record) offer_name(names, prefix, std::move(name));
    if (names.size() == kMostOffered) break;
  }
  return names;
}

Result<Names> lock_names(Context& context, std::string_view prefix) {
  Names names;
  const auto* locks = HF_TRY(context.runtime().find_locks(lock::AnyFileSystem::kAllow));
  if (locks == nullptr) return names;
  HF_TRY(lock::each_lock_name(
      locks->dir(), [&](std::string name) { offer_name(names, prefix, std::move(name)); },
      [](const std::string&) {}));
  return names;
}

Result<Names> step_keys(Context& context, std::string_view prefix) {
  constexpr std::string_view kRecordEnd = ".json";
  Names names;
  const auto steps = HF_TRY(context.runtime().find_steps());
  if (!steps) return names;
  HF_TRY(steps->each_entry([&](std::string_view stem, os::FileType /*type*/) {
    if (!stem.ends_with(kRecordEnd)) return os::Visit::kContinue;
    stem.remove_suffix(kRecordEnd.size());
    const auto name = unescape_name(stem, platform_name_rules());
    const std::size_t colon = name ? name->find(':') : std::string::npos;
    if (colon != std::string::npos) offer_name(names, prefix, name->substr(colon + 1));
    return os::Visit::kContinue;
  }));
  return names;
}

Names event_names(std::string_view prefix) {
  Names names;
  for (const EventType& type : event_types()) offer_name(names, prefix, std::string(type.name));
  return names;
}

Result<Names> names_to_offer(Context& context, std::string_view kind, std::string_view prefix) {
  if (kind == "sessions") return names_of_directories(context, prefix, session::record_name());
  if (kind == "workspaces")
    return names_of_directories(context, prefix, session::workspace_record_name());
  if (kind == "locks") return lock_names(context, prefix);
  if (kind == "keys") return step_keys(context, prefix);
  if (kind == "events") return event_names(prefix);
  return Names();
}

Result<int> run_names(Context& context, const Args& args) {
  const std::vector<std::string>& words = args.arguments();
  auto names = names_to_offer(context, words[0], words.size() > 1 ? words[1] : std::string());
  if (!names) return to_int(ExitCode::kDone);
  std::ranges::sort(*names);
  const auto doubles = std::ranges::unique(*names);
  names->erase(doubles.begin(), doubles.end());
  if (names->size() > kMostOffered) names->resize(kMostOffered);
  for (const std::string& name : *names) context.print(name + "\n");
  context.emit({{"names", *names}});
  return to_int(ExitCode::kDone);
}

constexpr std::array kNamesArguments{
    ArgumentSpec{.name = "KIND", .help = "sessions, workspaces, locks, keys or events"},
    ArgumentSpec{.name = "PREFIX", .help = "how they begin", .arity = Arity::kOptional},
};

}  // namespace

constinit const CommandSpec kNamesCommand{
    .name = "__names",
    .summary = "list names for shell completions",
    .description = "For the completions alone.",
    .arguments = kNamesArguments,
    .run = run_names,
};

}  // namespace holdfast::cli
