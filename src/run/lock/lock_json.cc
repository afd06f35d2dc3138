// SPDX-License-Identifier: Apache-2.0
#include "run/lock/lock_json.h"

#include "format/json/json_values.h"
#include "format/text/rfc3339.h"

namespace holdfast::run {
namespace {

using lock::HolderView;
using lock::LockStatus;

template <typename T>
Json word_or_null(const std::optional<T>& value) {
  return value ? Json(to_text(*value)) : Json(nullptr);
}

Json waiter_json(const lock::WaiterView& waiter) {
  return {{"pid", or_null(waiter.pid)},
          {"mode", to_text(waiter.mode)},
          {"since", format_rfc3339(waiter.since)},
          {"command", or_null(waiter.command)},
          {"session", or_null(waiter.session)}};
}

}  // namespace

Json holder_json(const HolderView& holder) {
  return {{"pid", or_null(holder.pid)},
          {"host", or_null(holder.host)},
          {"since", holder.since ? Json(format_rfc3339(*holder.since)) : Json(nullptr)},
          {"reason", or_null(holder.reason)},
          {"command", or_null(holder.command)},
          {"foreign", holder.foreign},
          {"evidence", or_null(holder.evidence)}};
}

Json status_json(const LockStatus& status) {
  Json holders = Json::array();
  for (const HolderView& holder : status.holders) holders.push_back(holder_json(holder));
  Json waiters = Json::array();
  for (const lock::WaiterView& waiter : status.waiters) waiters.push_back(waiter_json(waiter));
  Json owner = nullptr;
  if (status.binding == LockBinding::kOwner && !status.holders.empty())
    owner = {{"pid", or_null(status.holders.front().pid)}};
  Json fields = {{"name", status.label}, {"state", to_text(status.state)}};
  fields["mode"] = word_or_null(status.mode);
  fields["holder"] = holders.empty() ? Json(nullptr) : holders.front();
  fields["holders"] = std::move(holders);
  fields["owner"] = std::move(owner);
  fields["fence"] = or_null(status.fence);
  fields["ttl_ms"] = ms_or_null(status.ttl);
  fields["left_ms"] = ms_or_null(status.left);
  fields["binding"] = word_or_null(status.binding);
  fields["yields"] = word_or_null(status.yields);
  fields["since_beat_ms"] = ms_or_null(status.since_beat);
  fields["since_progress_ms"] = ms_or_null(status.since_progress);
  fields["break_id"] = or_null(status.break_id);
  fields["waiters"] = std::move(waiters);
  fields["evidence"] = status.evidence;
  return fields;
}

// A session that waits for a lock has its name already, so it is on record.
void name_waiting_sessions(LockStatus& status, runtime::Runtime& runtime) {
  if (status.waiters.empty()) return;
  const auto sessions = runtime.find_sessions();
  if (!sessions || *sessions == nullptr) return;
  const auto listed = (*sessions)->list();
  if (!listed) return;
  for (const session::SessionStore::Listed& one : *listed) {
    if (!one.record || !*one.record || is_final((*one.record)->state)) continue;
    for (lock::WaiterView& waiter : status.waiters) {
      if (waiter.process == (*one.record)->supervisor) waiter.session = one.name;
    }
  }
}

}  // namespace holdfast::run
