// SPDX-License-Identifier: Apache-2.0
#include "run/session/hosted_order.h"

#include <gtest/gtest.h>

namespace holdfast::run {
namespace {

RunOrder an_order() {
  RunOrder order;
  order.name = "fix-160";
  order.run = Id128{};
  order.run.bytes[3] = 7;
  order.ground = Ground::kBack;
  order.lock_wait = std::chrono::seconds(3);
  order.name_wait = std::chrono::seconds(4);
  order.what.command = {"agent", "a b", "--x=\"y\""};
  order.what.directory = "/work";
  order.what.environment = {"A=b c", "E=\xC3\xA4\n"};
  order.what.timeout = std::chrono::minutes(5);
  order.what.grace = std::chrono::seconds(2);
  order.what.verify_timeout = std::chrono::minutes(1);
  order.what.verify = "test -e \"x\"";
  order.what.locks = {"deploy"};
  order.what.log_max = 4096;
  return order;
}

TEST(HostedOrder, WhatIsToBeRunArrivesWhole) {
  const RunOrder order = an_order();
  const auto decoded = decode_hosted_order(encode_hosted_order(order, {}, "{\"kind\":\"x\"}"));
  ASSERT_TRUE(decoded) << decoded.error().detail;
  EXPECT_EQ(decoded->order.name, order.name);
  EXPECT_EQ(decoded->order.run, order.run);
  EXPECT_EQ(decoded->order.ground, Ground::kBack);
  EXPECT_EQ(decoded->order.lock_wait, order.lock_wait);
  EXPECT_EQ(decoded->order.name_wait, order.name_wait);
  EXPECT_EQ(decoded->order.what, order.what);
  EXPECT_TRUE(decoded->chain.empty());
  EXPECT_EQ(decoded->guard, "{\"kind\":\"x\"}");
}

TEST(HostedOrder, WhatIsCutAnywhereIsRefused) {
  const std::string bytes = encode_hosted_order(an_order(), {}, "note");
  for (std::size_t length = 0; length + 1 < bytes.size(); ++length) {
    EXPECT_FALSE(decode_hosted_order(std::string_view(bytes).substr(0, length))) << length;
  }
}

}  // namespace
}  // namespace holdfast::run
