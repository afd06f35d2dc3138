// SPDX-License-Identifier: Apache-2.0
//
// A detached RunOrder as bytes, from one start of this program to another (spawn_supervisor.h). Both
// are the same program, so there is no version in it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "format/lock/lock_chain.h"
#include "run/session/order.h"

namespace holdfast::run {

struct HostedOrder {
  RunOrder order{};
  LockChain chain{};    // what the caller itself runs under
  std::string guard{};  // RunGuard::note(); empty: nobody else has a say
};

// `guard` has no line break.
std::string encode_hosted_order(const RunOrder& order, const LockChain& chain,
                                std::string_view guard);
// kCannotTell `bad-order`, or what session_record.h says.
Result<HostedOrder> decode_hosted_order(std::string_view bytes);

}  // namespace holdfast::run
