// SPDX-License-Identifier: Apache-2.0
#include "run/lock/token_answer.h"

#include "run/lock/lock_text.h"

namespace holdfast::run {
namespace {

// kRefused `not-the-holder`.
Error not_the_holder(std::string_view op, const std::string& label) {
  return {.code = ErrorCode::kRefused,
          .op = std::string(op),
          .subject = "'" + label + "'",
          .cause = "not-the-holder",
          .detail =
              "this token does not hold it, or holds it no more (`holdfast locks` shows who "
              "does); nothing was changed"};
}

}  // namespace

Error no_such_lock(std::string_view op, const std::string& label) {
  return {.code = ErrorCode::kNotFound,
          .op = std::string(op),
          .subject = "'" + label + "'",
          .cause = "no-such-lock",
          .detail = "nobody has ever locked it; nothing was changed"};
}

// Whoever has a token was granted the lock once, so its ledger was there.
Error no_ledger(std::string_view op, const std::string& label) {
  return {.code = ErrorCode::kRefused,
          .op = std::string(op),
          .subject = "'" + label + "'",
          .cause = "no-ledger",
          .detail = "there is no such lock, or its ledger was deleted: the token holds nothing"};
}

Result<> require_done(lock::TokenAnswer answer, std::string_view op, const std::string& label) {
  switch (answer) {
    case lock::TokenAnswer::kDone:
      return {};
    case lock::TokenAnswer::kNoLock:
      return fail(no_such_lock(op, label));
    case lock::TokenAnswer::kNotHolder:
      return fail(not_the_holder(op, label));
    case lock::TokenAnswer::kStillHeld:
      break;
  }
  return fail({.code = ErrorCode::kBusy,
               .op = std::string(op),
               .subject = "'" + label + "'",
               .cause = "still-held",
               .detail = "its record is free now, but a process still holds it in the kernel; it "
                         "is free for others when that process ends or lets go"});
}

Result<> require_standing(const lock::TokenResult& result, std::string_view op,
                          const std::string& label) {
  if (result.standing == lock::Standing::kGood) return {};
  if (result.standing == lock::Standing::kOver) {
    return fail({.code = ErrorCode::kRefused,
                 .op = std::string(op),
                 .subject = "'" + label + "'",
                 .cause = "hold-over",
                 .detail = "it is on record, but who held it is gone (" + result.evidence +
                           "), and the next one gets it; nothing was changed"});
  }
  const bool clock = result.evidence == "other-clock";
  return fail({.code = ErrorCode::kCannotTell,
               .op = std::string(op),
               .subject = "'" + label + "'",
               .cause = clock ? "other-clock" : "holder-unknown",
               .detail = clock
                             ? std::string("its lease counts on the clock of another boot or time "
                                           "namespace; nothing was changed")
                             : "whether who holds it lives cannot be told from here (" +
                                   result.evidence + "); nothing was changed"});
}

Json token_json(const std::string& label, const lock::TokenResult& result, const Clock& clock) {
  Json fields = {{"lock", label}, {"mode", to_text(result.mode)}, {"fence", result.fence}};
  fields["ttl_ms"] = nullptr;
  fields["deadline"] = nullptr;
  if (result.ttl)
    fields["ttl_ms"] = std::chrono::floor<std::chrono::milliseconds>(*result.ttl).count();
  if (result.deadline) fields["deadline"] = wall_of(*result.deadline, clock);
  return fields;
}

}  // namespace holdfast::run
