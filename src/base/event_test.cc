// SPDX-License-Identifier: Apache-2.0
#include "base/event.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(EventClass, EachHasOneWordAndIsReadBack) {
  EXPECT_EQ(to_text(EventClass::kTrace), "trace");
  EXPECT_EQ(to_text(EventClass::kEvent), "event");
  EXPECT_EQ(to_text(EventClass::kDecision), "decision");
  for (const EventClass each : {EventClass::kTrace, EventClass::kEvent, EventClass::kDecision}) {
    EXPECT_EQ(parse_event_class(to_text(each)), each);
  }
}

TEST(EventClass, RisesFromTraceToDecision) {
  // at_least raises a class by comparing them.
  EXPECT_LT(EventClass::kTrace, EventClass::kEvent);
  EXPECT_LT(EventClass::kEvent, EventClass::kDecision);
}

TEST(EventClass, AnythingElseIsNoClass) {
  for (const char* text : {"", "Trace", "trace ", "events", "decisio", "0"}) {
    EXPECT_FALSE(parse_event_class(text)) << text;
  }
}

}  // namespace
}  // namespace holdfast
