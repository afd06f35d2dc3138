// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include "capi/boundary.h"
#include "capi/handles.h"
#include "format/json/json.h"
#include "format/session/process_identity.h"
#include "os/process/pidfd.h"
#include "proc/identity/identity.h"
#include "proc/identity/verdict.h"
#include "proc/kill/kill.h"
#include "proc/kill/kill_answer.h"
#include "proc/tree/run_id_scan.h"

using namespace holdfast;        // NOLINT(google-build-using-namespace): the names of C are global
using namespace holdfast::capi;  // NOLINT(google-build-using-namespace)

namespace holdfast::capi {
namespace {

constexpr int kLargestSignal = 64;

// What may not be read is left out, and so is what was perhaps read from a later process of the
// same number.
std::optional<Id128> run_of(const proc::Pinned& pinned) {
  const auto run = proc::run_id_of(pinned.identity.pid);
  if (!run || !pinned.pidfd.valid()) return std::nullopt;
  const auto ended = os::has_ended(pinned.pidfd);
  return ended && !*ended ? *run : std::nullopt;
}

Result<IdentityRecord> identity_of_number(std::int64_t pid) {
  if (pid < 0 || pid > INT32_MAX)
    return fail(wrong_call("bad-value", "pid", "it is no number of a process"));
  const os::Pid number = pid == 0 ? os::own_pid() : os::Pid{static_cast<std::int32_t>(pid)};
  const auto pinned = HF_TRY(proc::pin(number));
  if (!pinned) {
    return fail({.code = ErrorCode::kNotFound,
                 .op = "identify",
                 .subject = "process " + std::to_string(pid),
                 .cause = "no-such-process",
                 .detail = "no process of that number runs"});
  }
  return IdentityRecord{.process = proc::to_record(pinned->identity), .run = run_of(*pinned)};
}

Result<IdentityRecord> identity_of_text(const char* text) {
  HF_TRY(require(text, "identity"));
  const std::string_view typed(text);
  if (!typed.empty() && typed.find_first_not_of("+-0123456789 \n") == typed.npos) {
    return fail(wrong_call("bare-pid", "identity",
                           "a number may be another process by now; keep what "
                           "holdfast_identify says when the process is started"));
  }
  return decode_identity(typed, "identity");
}

std::string_view word_of(proc::Life life) {
  if (life == proc::Life::kLive) return "live";
  return life == proc::Life::kDead ? "dead" : "unknown";
}

Error not_alive(const IdentityRecord& identity, const proc::LifeVerdict& verdict) {
  const bool dead = verdict.life == proc::Life::kDead;
  return {.code = dead ? ErrorCode::kNotFound : ErrorCode::kCannotTell,
          .op = dead ? "find alive" : "tell the life of",
          .subject = "process " + std::to_string(identity.process.pid),
          .cause = verdict.evidence,
          .detail = dead ? "it is dead (" + verdict.evidence + ")"
                         : "nobody can tell from here (" + verdict.evidence + ")"};
}

Result<proc::KillOrder> order_of(const holdfast_kill_options& options) {
  HF_TRY(known_flags(options.flags, HOLDFAST_KILL_TREE));
  if (options.signal < 0 || options.signal > kLargestSignal)
    return fail(wrong_call("bad-value", "signal", "it is between 1 and 64, or 0"));
  proc::KillOrder order{.tree = (options.flags & HOLDFAST_KILL_TREE) != 0};
  if (options.signal != 0) order.signal = options.signal;
  if (options.signal != 0 && options.grace_ms != 0)
    return fail(wrong_call("conflict", "grace_ms", "with a signal there is no second one"));
  order.grace =
      HF_TRY(wait_of(options.grace_ms, proc::kKillGrace, "grace_ms")).value_or(lock::kLongestTime);
  if (options.wait_ms != 0) {
    order.wait =
        HF_TRY(wait_of(options.wait_ms, Duration::zero(), "wait_ms")).value_or(lock::kLongestTime);
  }
  return order;
}

}  // namespace
}  // namespace holdfast::capi

int holdfast_identify(int64_t pid, char** identity, holdfast_error* error) {
  if (identity != nullptr) *identity = nullptr;
  return answer(error, [&]() -> Result<int> {
    HF_TRY(require(identity, "identity"));
    *identity = give(encode_identity(HF_TRY(identity_of_number(pid))));
    return HOLDFAST_OK;
  });
}

int holdfast_alive(const char* identity, char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    const IdentityRecord asked = HF_TRY(identity_of_text(identity));
    const proc::LifeVerdict verdict = proc::judge(proc::from_record(asked.process));
    const int code = verdict.life == proc::Life::kLive   ? HOLDFAST_OK
                     : verdict.life == proc::Life::kDead ? HOLDFAST_NO
                                                         : HOLDFAST_CANNOT_TELL;
    give_document(json, code, {{"verdict", word_of(verdict.life)}, {"evidence", verdict.evidence}});
    if (code == HOLDFAST_OK) return HOLDFAST_OK;
    return fail(not_alive(asked, verdict));
  });
}

int holdfast_kill(holdfast_home* hf, const char* identity, const holdfast_kill_options* options,
                  char** json, holdfast_error* error) {
  if (json != nullptr) *json = nullptr;
  return answer(error, [&]() -> Result<int> {
    State* const state = HF_TRY(state_of(hf));
    proc::KillOrder order = HF_TRY(order_of(HF_TRY(read_struct(options, "options"))));
    const IdentityRecord meant = HF_TRY(identity_of_text(identity));
    order.run = meant.run;
    const proc::KillReport report =
        HF_TRY(proc::kill_process(proc::from_record(meant.process), order, state->events));
    const ExitCode code = proc::exit_of(report.outcome);
    give_document(json, to_int(code), proc::kill_fields(meant.process.pid, report));
    if (code == ExitCode::kDone) return HOLDFAST_OK;
    return put(error, proc::kill_error(meant.process.pid, report), code);
  });
}
