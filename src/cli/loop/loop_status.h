// SPDX-License-Identifier: Apache-2.0
//
// The items of a loop, for people and as JSON.
//
// Shown are the items on record, and those of the source's last good answer that have not been
// taken up yet: they are `waiting`.
#pragma once

#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "format/json/due_time.h"
#include "format/loop/loop_file.h"
#include "format/loop/loop_item.h"
#include "loop/item/item_log.h"

namespace holdfast::cli {

struct ItemView {
  ItemRecord item{};
  bool known = true;  // on record
};

// In the order of the source, and then those that it does not list.
std::vector<ItemView> views_of(const loop::ItemLog& log, const std::vector<std::string>& listed);

Json item_json(const ItemView& view, const LoopFile& file, const TimeMark& now);
std::string item_table(const Context& context, const std::vector<ItemView>& views,
                       const LoopFile& file, const TimeMark& now);
// {"waiting": 3, "done": 2, …}, only what there is.
Json item_counts(const std::vector<ItemView>& views);
std::string item_summary(const std::vector<ItemView>& views);

}  // namespace holdfast::cli
