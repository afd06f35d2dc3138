// SPDX-License-Identifier: Apache-2.0
//
// What a person may say about an item: try it again, or it is done.
//
// Both are one change of the log, so a working loop sees the item before or after, and never
// between. An item under way is left alone; with `force` it is not: whoever says that knows that
// what was under way is over, and has seen to what it did. That it does not run is the caller's to
// check.
//
// Errors: kNotFound `no-such-item`; kBusy `item-under-way`, with its session; kRefused
// `not-from-here`: the table (item_table.h) has no such way.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "format/json/due_time.h"
#include "format/loop/loop_item.h"
#include "loop/item/item_log.h"

namespace holdfast::loop {

// Its attempts begin anew, and it is due now. One whose run was verified goes on with on_success;
// `from_start`: is run again all the same.
enum class UnderWay : std::uint8_t { kLeaveAlone, kForce };
Result<ItemRecord> retry_item(ItemLog& log, const std::string& id, bool from_start,
                              UnderWay under_way, const TimeMark& now);
Result<ItemRecord> settle_item(ItemLog& log, const std::string& id, const std::string& reason,
                               UnderWay under_way, const TimeMark& now);

}  // namespace holdfast::loop
