// SPDX-License-Identifier: Apache-2.0
#include "cli/lock/lock_by_token.h"

#include "base/cause.h"
#include "cli/frame/command_line.h"
#include "cli/frame/user_file.h"
#include "cli/lock/lock_view.h"
#include "format/json/json.h"
#include "lock/grant/slots.h"
#include "os/spawn/env.h"
#include "os/stream/stdio.h"
#include "run/lock/lock_environment.h"
#include "run/lock/lock_text.h"
#include "runtime/runtime.h"

namespace holdfast::cli {
namespace {

constexpr std::size_t kMaxTokenFile = 4096;

// Never shows what was typed: it may be a token for something else.
Result<Id128> parse_token(std::string_view text, const std::string& from) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  const std::string_view bare =
      begin == text.npos ? std::string_view() : text.substr(begin, end - begin + 1);
  if (bare.empty()) {
    return fail(usage_error("bad-token", "use the token of", from,
                            "it is empty; did `acquire` fail? Nothing was done"));
  }
  if (const auto token = parse_id128(bare)) return *token;
  return fail(usage_error("bad-token", "use the token of", from,
                          "a token is 32 hexadecimal digits, as `acquire` prints it"));
}

}  // namespace

Result<Id128> typed_token(const std::string& typed) {
  if (typed == "-") return parse_token(HF_TRY(os::read_stdin(kMaxTokenFile)), "standard input");
  if (!typed.starts_with('@')) return parse_token(typed, "--token");
  const std::string path = typed.substr(1);
  return parse_token(HF_TRY(read_user_file(path, kMaxTokenFile)), path);
}

Result<std::optional<Id128>> token_of_environment(const std::string& label) {
  const auto token = os::env("HOLDFAST_TOKEN");
  if (!token || os::env("HOLDFAST_LOCK") != label) return std::nullopt;
  return HF_TRY(parse_token(*token, "HOLDFAST_TOKEN"));
}

Result<FoundLock> find_lock(const Context& context, const Args& args) {
  constexpr auto kAnywhere = lock::AnyFileSystem::kAllow;
  const lock::LockId id = HF_TRY(lock_id(args));
  const auto* locks = HF_TRY(context.runtime().find_locks(kAnywhere));
  FoundLock found{.events = locks != nullptr ? &context.runtime().events() : nullptr,
                  .place = {},
                  .label = id.text};
  if (id.kind == lock::LockId::Kind::kFile) {
    found.place = HF_TRY(lock::file_place(id.text, kAnywhere));
  } else if (locks != nullptr) {
    found.place = HF_TRY(locks->place_of(id));
  } else if (id.kind == lock::LockId::Kind::kPath) {
    found.place = HF_TRY(lock::path_place(nullptr, {}, id.text, kAnywhere));
  }
  if (found.place) found.label = found.place->label;
  return found;
}

Result<FoundLock> find_lock_of_token(const Context& context, const Args& args) {
  const lock::LockId id = HF_TRY(lock_id(args));
  const std::uint32_t slots = HF_TRY(slots_value(args, id));
  const auto* locks = HF_TRY(context.runtime().find_locks(lock::AnyFileSystem::kAllow));
  if (slots == 0 || locks == nullptr) return find_lock(context, args);
  std::optional<FoundLock> first;
  for (std::uint32_t number = 1; number <= slots; ++number) {
    lock::Place place = HF_TRY(locks->place_of(
        {.kind = lock::LockId::Kind::kNamed,
         .text = to_text(lock::SlotName{.name = id.text, .number = number, .count = slots})}));
    FoundLock found{.events = &context.runtime().events(), .place = std::move(place), .label = {}};
    found.label = found.place->label;
    const auto token = token_for(args, found);
    const bool typed_wrong = !token && token.error().cause != cause::kNoToken;
    if (typed_wrong) return fail(token.error());
    const bool holds =
        token &&
        HF_TRY(lock::check_by_token(*found.place, *token, context.runtime().clock())).answer ==
            lock::TokenAnswer::kDone;
    if (holds) return found;
    if (!first) first = std::move(found);
  }
  return *std::move(first);
}

Result<Id128> token_for(const Args& args, const FoundLock& lock) {
  if (const auto typed = args.text("token")) return typed_token(*typed);
  if (lock.place) {
    const LockChain chain = HF_TRY(run::chain_of_environment());
    for (auto entry = chain.rbegin(); entry != chain.rend(); ++entry) {
      if (entry->ledger == lock.place->ledger_path) return entry->token;
    }
  }
  const auto named = os::env("HOLDFAST_LOCK");
  const auto token = os::env("HOLDFAST_TOKEN");
  if (token && (!named || *named == lock.label)) return parse_token(*token, "HOLDFAST_TOKEN");
  return fail(usage_error(cause::kNoToken, "show that", "'" + lock.label + "'",
                          "is held by you: give its token with --token, `--token @FILE` or "
                          "HOLDFAST_TOKEN"));
}

}  // namespace holdfast::cli
