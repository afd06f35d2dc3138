// SPDX-License-Identifier: Apache-2.0
//
// The events that the journal's benchmarks write: twenty types, some of them far more frequent than
// others, with data as holdfast itself records it. Number `i` always gives the same event.
#pragma once

#include <cstdint>

#include "base/event.h"

namespace holdfast::bench {

// About 240 bytes as a line of the journal. Its class is `event`, or what `at_least` says.
Event sample_event(std::uint64_t i, EventClass at_least = EventClass::kEvent);
// A free lock taken or given back: the only class that is buffered.
Event sample_trace(std::uint64_t i);

}  // namespace holdfast::bench
