// SPDX-License-Identifier: Apache-2.0
//
// What is answered to somebody who shows a token, or works on a lock from outside: the same Error
// and the same JSON on every surface.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/result.h"
#include "format/json/json.h"
#include "lock/grant/by_token.h"

namespace holdfast::run {

// kNotFound `no-such-lock`.
Error no_such_lock(std::string_view op, const std::string& label);

// kRefused `no-ledger`: for who shows a token of a lock that is not there (any more).
Error no_ledger(std::string_view op, const std::string& label);

// kDone passes; the other answers are these errors, and kBusy `still-held`.
Result<> require_done(lock::TokenAnswer answer, std::string_view op, const std::string& label);
// What `check` and `renew` say of a hold that keeps nobody out any more (77), or may not (69).
Result<> require_standing(const lock::TokenResult& result, std::string_view op,
                          const std::string& label);

// `lock mode fence ttl_ms deadline`
Json token_json(const std::string& label, const lock::TokenResult& result, const Clock& clock);

}  // namespace holdfast::run
