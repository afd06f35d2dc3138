// SPDX-License-Identifier: Apache-2.0
#include "cli/loop/loop_status.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/printable.h"
#include "base/units.h"
#include "cli/output/table.h"
#include "format/json/json.h"
#include "format/text/rfc3339.h"

namespace holdfast::cli {
namespace {

constexpr std::array kItemColumns{TableColumn{"ITEM", 0, 8}, TableColumn{"STATE"},
                                  TableColumn{"TRIES", 2}, TableColumn{"NEXT", 1},
                                  TableColumn{"WHY", 0, 8}};

Context::Paint paint_of_item(ItemState state) {
  using enum ItemState;
  switch (state) {
    case kDone:
      return Context::Paint::kDim;
    case kRunning:
    case kVerifying:
    case kSucceeding:
      return Context::Paint::kGreen;
    case kUnknown:
    case kGaveUp:
      return Context::Paint::kRed;
    default:
      return Context::Paint::kYellow;
  }
}

bool may_begin_later(const ItemRecord& item) { return item.next.has_value() && !item.act; }

std::string loop_status_next_text(const ItemRecord& item, const TimeMark& now) {
  if (!may_begin_later(item)) return "-";
  const Duration left = left_of(*item.next, now);
  if (left == Duration::zero()) return "now";
  return format_duration(std::chrono::ceil<std::chrono::seconds>(left));
}

std::string why_text(const ItemRecord& item) {
  std::string text = item.detail;
  if (item.absent) text += (text.empty() ? "" : "; ") + std::string("not listed any more");
  return printable(text);
}

TableRow loop_status_cells_of(const ItemView& view, const LoopFile& file, const TimeMark& now) {
  const ItemRecord& item = view.item;
  return {printable(item.id),
          {std::string(to_text(item.state)), paint_of_item(item.state)},
          std::to_string(item.attempts) + "/" + std::to_string(file.attempts),
          loop_status_next_text(item, now),
          why_text(item)};
}

std::array<std::size_t, kItemStates> loop_status_count(const std::vector<ItemView>& views) {
  std::array<std::size_t, kItemStates> counts{};
  for (const ItemView& view : views) ++counts[static_cast<std::size_t>(view.item.state)];
  return counts;
}

}  // namespace

std::vector<ItemView> views_of(const loop::ItemLog& log, const std::vector<std::string>& listed) {
  std::vector<ItemView> views;
  std::unordered_set<std::string_view> seen;
  for (const std::string& id : listed) {
    seen.insert(id);
    const ItemRecord* item = log.find(id);
    ItemView view{.known = item != nullptr};
    view.item = item != nullptr ? *item : ItemRecord{.id = id};
    views.push_back(std::move(view));
  }
  for (const auto& [id, item] : log.items()) {
    if (!seen.contains(id)) views.push_back({.item = item});
  }
  return views;
}

Json item_json(const ItemView& view, const LoopFile& file, const TimeMark& now) {
  const ItemRecord& item = view.item;
  Json fields{{"id", bytes_to_json(item.id)},
              {"state", to_text(item.state)},
              {"attempts", item.attempts},
              {"max", file.attempts},
              {"next", nullptr},
              {"reason", nullptr},
              {"detail", nullptr},
              {"session", nullptr},
              {"act", nullptr},
              {"exit_code", nullptr},
              {"verified", item.verified},
              {"listed", !item.absent},
              {"first_seen", nullptr},
              {"changed", nullptr},
              {"notices_held_back", item.notice.held_back},
              {"notice_unsure", item.notice.unsure}};
  if (may_begin_later(item)) fields["next"] = format_rfc3339(wall_of(*item.next, now));
  if (!item.reason.empty()) fields["reason"] = item.reason;
  if (!item.detail.empty()) fields["detail"] = bytes_to_json(item.detail);
  if (!item.session.empty()) fields["session"] = bytes_to_json(item.session);
  if (item.act) fields["act"] = to_text(item.act->kind);
  if (item.exit_code) fields["exit_code"] = *item.exit_code;
  if (view.known) fields["first_seen"] = format_rfc3339(item.first_seen);
  if (view.known) fields["changed"] = format_rfc3339(item.changed);
  return fields;
}

std::string item_table(const Context& context, const std::vector<ItemView>& views,
                       const LoopFile& file, const TimeMark& now) {
  std::vector<TableRow> rows;
  for (const ItemView& view : views) rows.push_back(loop_status_cells_of(view, file, now));
  return table_text(context, kItemColumns, rows);
}

Json item_counts(const std::vector<ItemView>& views) {
  Json counts = Json::object();
  const auto counted = loop_status_count(views);
  for (std::size_t i = 0; i < kItemStates; ++i) {
    if (counted[i] != 0) counts[std::string(to_text(static_cast<ItemState>(i)))] = counted[i];
  }
  return counts;
}

std::string item_summary(const std::vector<ItemView>& views) {
  const auto counted = loop_status_count(views);
  std::string text;
  for (std::size_t i = 0; i < kItemStates; ++i) {
    if (counted[i] == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(counted[i]) + " " +
            std::string(to_text(static_cast<ItemState>(i)));
  }
  return text.empty() ? "no items" : text;
}

}  // namespace holdfast::cli
