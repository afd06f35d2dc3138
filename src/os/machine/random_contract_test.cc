// SPDX-License-Identifier: Apache-2.0
#include "os/machine/random.h"

#include <gtest/gtest.h>

#include <set>

namespace holdfast::os {
namespace {

TEST(RandomContract, NoTwoOfAThousandIdsAreAlike) {
  std::set<Id128> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(random_id().value());
  EXPECT_EQ(ids.size(), 1000U);
}

// An id of which a part is always the same would still differ from others; no byte may stand still.
TEST(RandomContract, EveryByteOfAnIdVaries) {
  std::array<std::set<int>, 16> seen;
  for (int i = 0; i < 200; ++i) {
    const Id128 id = random_id().value();
    for (std::size_t at = 0; at < id.bytes.size(); ++at) seen[at].insert(id.bytes[at]);
  }
  for (const auto& values : seen) EXPECT_GT(values.size(), 50U);
}

}  // namespace
}  // namespace holdfast::os
