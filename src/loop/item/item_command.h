// SPDX-License-Identifier: Apache-2.0
//
// The commands of an item: which one, under which name, with what it reads and is told.
//
// A command gets the item as JSON on its standard input (a notice: the text), and in its
// environment HOLDFAST_LOOP, HOLDFAST_ITEM_ID, HOLDFAST_ATTEMPT and what the file's `env` says.
//
// Errors: kCannotTell `no-such-field` (format/loop/loop_source.h); kUsage where the session's name would
// be none; of whoever makes the order of a profile.
#pragma once

#include <functional>
#include <string>

#include "base/id128.h"
#include "base/result.h"
#include "format/loop/loop_file.h"
#include "format/loop/loop_item.h"
#include "run/session/order.h"

namespace holdfast::loop {

// For `profile`: does its steps and returns the order of its run. `item` is its JSON.
using ProfileOrder = std::function<Result<run::RunOrder>(const std::string& item)>;

// What a command is for: a kind of ItemAct, or the sending of a notice.
struct ItemPurpose {
  ItemAct::Kind kind = ItemAct::Kind::kRun;
  bool notice = false;
};

// The session of a run, as `session` of the file says.
Result<std::string> session_of(const LoopFile& file, const std::string& id,
                               const std::string& json);
// The sessions of what follows it.
std::string follow_up_session(const ItemRecord& item);
std::string notice_session(const ItemRecord& item);
// Of what a loop or a step runs for itself: what follows a run, a verification, a notice.
bool is_internal_session(const SessionRecord& record);

// Has the file a command for that?
bool has_command(const LoopFile& file, const ItemRecord& item, ItemPurpose purpose);

struct CommandInput {
  std::string json{};  // the item
  std::string stdin_path{};
};

// `item.act` (of a notice, `item.notice.act`) has its name and its run's id.
Result<run::RunOrder> item_run_order(const LoopFile& file, const ItemRecord& item,
                                     ItemPurpose purpose, const CommandInput& input,
                                     const ProfileOrder& profile);

}  // namespace holdfast::loop
