// SPDX-License-Identifier: Apache-2.0
//
// Locks that somebody else may hold: by token, by break id, and looking.
#include <algorithm>
#include <string>
#include <vector>

#include "base/id128.h"
#include "capi/boundary.h"
#include "capi/handles.h"
#include "lock/grant/by_token.h"
#include "lock/ledger/status.h"
#include "run/lock/lock_json.h"
#include "run/lock/token_answer.h"

using namespace holdfast;        // NOLINT(google-build-using-namespace): the names of C are global
using namespace holdfast::capi;  // NOLINT(google-build-using-namespace)

namespace holdfast::capi {
namespace {

constexpr Duration kShortestRenewal = std::chrono::milliseconds(100);

// A lock that may not exist. Makes nothing; the file system it lies on was the concern of whoever
// acquired it.
struct Found {
  State* state = nullptr;
  EventSink* events = nullptr;       // null: there is no home, or no lock in it
  std::optional<lock::Place> place;  // none: there is no such lock
  std::string label;
};

Result<Found> find(holdfast_home* hf, int kind, const char* name) {
  State* const state = HF_TRY(state_of(hf));
  const lock::LockId id = HF_TRY(lock_id_of(kind, name));
  Found found{.state = state, .place = {}, .label = label_of(id)};
  const lock::LocalBackend* locks = nullptr;
  {
    const std::scoped_lock held(state->mutex);
    locks = HF_TRY(state->runtime.find_locks(lock::AnyFileSystem::kAllow));
  }
  if (locks != nullptr) found.events = &state->events;
  if (id.kind == lock::LockId::Kind::kFile) {
    found.place = HF_TRY(lock::file_place(id.text, lock::AnyFileSystem::kAllow));
  } else if (locks != nullptr) {
    found.place = HF_TRY(locks->place_of(id));
  } else if (id.kind == lock::LockId::Kind::kPath) {
    found.place = HF_TRY(lock::path_place(nullptr, {}, id.text, lock::AnyFileSystem::kAllow));
  }
  if (found.place) found.label = found.place->label;
  return found;
}

Result<Id128> token_of(const char* text) {
  HF_TRY(require(text, "token"));
  if (const auto token = parse_id128(text)) return *token;
  return fail(wrong_call("bad-token", "token", "a token is 32 hexadecimal digits"));
}

Result<> may_be_used(const lock::TokenResult& result, std::string_view op,
                     const std::string& label) {
  if (result.answer == lock::TokenAnswer::kNoLock) return fail(run::no_ledger(op, label));
  HF_TRY(run::require_done(result.answer, op, label));
  return run::require_standing(result, op, label);
}

int code_of(const lock::LockStatus& status) {
  return status.state == lock::Visible::kUnknown ? HOLDFAST_CANNOT_TELL : HOLDFAST_OK;
}

Error unknown_state(const lock::LockStatus& status) {
  return {.code = ErrorCode::kCannotTell,
          .op = "tell the state of",
          .subject = "'" + status.label + "'",
          .cause = "unknown",
          .detail = status.evidence};
}

// One lock that cannot be looked at does not hide the others.
lock::LockStatus look(const lock::LocalBackend& locks, const std::string& name,
                      const Clock& clock) {
  const auto looked = [&]() -> Result<lock::LockStatus> {
    const lock::LockId id{.kind = lock::LockId::Kind::kNamed, .text = name};
    return lock::look_at_lock(HF_TRY(locks.place_of(id)), clock);
  }();
  if (looked) return *looked;
  return {.label = name, .state = lock::Visible::kUnknown, .evidence = looked.error().cause};
}

Error not_broken(lock::TokenAnswer answer, const std::string& label) {
  if (answer == lock::TokenAnswer::kNoLock) {
    return {.code = ErrorCode::kNotFound,
            .op = "break",
            .subject = "'" + label + "'",
            .cause = "not-held",
            .detail = "nobody holds it; nothing was changed"};
  }
  return {.code = ErrorCode::kRefused,
          .op = "break",
          .subject = "'" + label + "'",
          .cause = "other-hold",
          .detail = "the id is not that of the hold of now; nothing was changed"};
}

}  // namespace
}  // namespace holdfast::capi

int holdfast_lock_renew_token(holdfast_home* hf, int kind, const char* name, const char* token,
                              int64_t ttl_ms, char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    const auto ttl = HF_TRY(limit_of(ttl_ms, "ttl_ms"));
    if (ttl && *ttl < kShortestRenewal)
      return fail(wrong_call("bad-value", "ttl_ms", "a lease lasts at least 100 ms"));
    const Id128 shown = HF_TRY(token_of(token));
    const Found found = HF_TRY(find(hf, kind, name));
    if (!found.place) return fail(run::no_such_lock("renew", found.label));
    const Clock& clock = found.state->clock;
    const lock::TokenResult result =
        HF_TRY(lock::renew_by_token(*found.place, shown, lock::Lock::Beat::kAlive, ttl, clock));
    HF_TRY(may_be_used(result, "renew", found.label));
    Json fields = run::token_json(found.label, result, clock);
    fields["had_expired"] = result.expired;
    give_document(json, HOLDFAST_OK, std::move(fields));
    return HOLDFAST_OK;
  });
}

int holdfast_lock_check_token(holdfast_home* hf, int kind, const char* name, const char* token,
                              char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    const Id128 shown = HF_TRY(token_of(token));
    const Found found = HF_TRY(find(hf, kind, name));
    if (!found.place) return fail(run::no_such_lock("check", found.label));
    const Clock& clock = found.state->clock;
    const lock::TokenResult result = HF_TRY(lock::check_by_token(*found.place, shown, clock));
    HF_TRY(may_be_used(result, "check", found.label));
    Json fields = run::token_json(found.label, result, clock);
    fields["expired"] = result.expired;
    const int code = result.expired ? HOLDFAST_REFUSED : HOLDFAST_OK;
    give_document(json, code, std::move(fields));
    if (!result.expired) return HOLDFAST_OK;
    return fail({.code = ErrorCode::kRefused,
                 .op = "check",
                 .subject = "'" + found.label + "'",
                 .cause = "expired",
                 .detail = "its lease has run out, and anybody may take it; renew it first"});
  });
}

int holdfast_lock_release_token(holdfast_home* hf, int kind, const char* name, const char* token,
                                holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    const Id128 shown = HF_TRY(token_of(token));
    const Found found = HF_TRY(find(hf, kind, name));
    if (!found.place) return fail(run::no_such_lock("release", found.label));
    const lock::TokenResult result =
        HF_TRY(lock::release_by_token(*found.place, shown, found.state->clock, found.events));
    HF_TRY(run::require_done(result.answer, "release", found.label));
    return HOLDFAST_OK;
  });
}

int holdfast_lock_break(holdfast_home* hf, int kind, const char* name, const char* id,
                        const char* reason, holdfast_error* error) {
  return answer(error, [&]() -> Result<int> {
    HF_TRY(require(id, "id"));
    HF_TRY(require(reason, "reason"));
    if (*id == 0) return fail(wrong_call("bad-value", "id", "it is empty"));
    if (*reason == 0) return fail(wrong_call("bad-value", "reason", "it goes on record"));
    const Found found = HF_TRY(find(hf, kind, name));
    if (!found.place) return fail(not_broken(lock::TokenAnswer::kNoLock, found.label));
    // The decision needs a journal, and a damaged record the fences of the home.
    const auto* const locks = HF_TRY(found.state->locks());
    const lock::BreakResult result = HF_TRY(lock::break_lock(
        *found.place, locks->fences(), id, reason, found.state->clock, &found.state->events));
    if (result.answer == lock::TokenAnswer::kNoLock ||
        result.answer == lock::TokenAnswer::kNotHolder)
      return fail(not_broken(result.answer, found.label));
    HF_TRY(run::require_done(result.answer, "break", found.label));
    return HOLDFAST_OK;
  });
}

int holdfast_lock_info(holdfast_home* hf, int kind, const char* name, char** json,
                       holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    HF_TRY(require(json, "json"));
    const Found found = HF_TRY(find(hf, kind, name));
    lock::LockStatus status{.label = found.label, .evidence = "never-used"};
    if (found.place) status = HF_TRY(lock::look_at_lock(*found.place, found.state->clock));
    run::name_waiting_sessions(status, *found.state->for_call());
    give_document(json, code_of(status), run::status_json(status));
    if (code_of(status) == HOLDFAST_OK) return HOLDFAST_OK;
    return fail(unknown_state(status));
  });
}

int holdfast_lock_list(holdfast_home* hf, char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    HF_TRY(require(json, "json"));
    State* const state = HF_TRY(state_of(hf));
    const lock::LocalBackend* locks = nullptr;
    {
      const std::scoped_lock held(state->mutex);
      locks = HF_TRY(state->runtime.find_locks(lock::AnyFileSystem::kAllow));
    }
    std::vector<std::string> names;
    if (locks != nullptr) {
      HF_TRY(lock::each_lock_name(
          locks->dir(), [&](std::string name) { names.push_back(std::move(name)); },
          [](const std::string&) {}));
    }
    std::ranges::sort(names);
    Json list = Json::array();
    const auto runtime = state->for_call();
    for (const std::string& name : names) {
      lock::LockStatus status = look(*locks, name, state->clock);
      run::name_waiting_sessions(status, *runtime);
      list.push_back(run::status_json(status));
    }
    give_document(json, HOLDFAST_OK, {{"locks", std::move(list)}});
    return HOLDFAST_OK;
  });
}
