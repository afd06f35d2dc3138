// SPDX-License-Identifier: Apache-2.0
#include "cli/workspace/workspace_view.h"

#include <algorithm>

#include "base/printable.h"
#include "base/units.h"
#include "cli/output/table.h"
#include "cli/output/wrap.h"
#include "format/json/json.h"
#include "format/json/json_values.h"
#include "format/text/rfc3339.h"
#include "session/workspace/workspace_attach.h"
#include "session/workspace/workspace_new.h"

namespace holdfast::cli {
namespace {

constexpr std::array kWorkspaceColumns{
    TableColumn{"NAME", 0, 8}, TableColumn{"STATE"},           TableColumn{"OWNER", 2},
    TableColumn{"AGE", 1},     TableColumn{"AUTHORITY", 3, 8}, TableColumn{"DIRECTORY", 0, 8}};

Context::Paint paint_of_workspace(WorkspaceState state) {
  switch (state) {
    case WorkspaceState::kReady:
      return Context::Paint::kGreen;
    case WorkspaceState::kEnded:
      return Context::Paint::kDim;
    default:
      return Context::Paint::kYellow;
  }
}

std::int64_t workspace_view_milliseconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

std::string workspace_view_ago(WallTime time, WallTime now) {
  return format_duration(
      std::chrono::floor<std::chrono::seconds>(std::max(now - time, Duration::zero())));
}

Json authority_fields(const std::optional<Authority>& authority) {
  if (!authority) return nullptr;
  return {{"kind", to_text(authority->kind)},
          {"id", bytes_to_json(authority->id)},
          {"full_id", authority->full_id},
          {"daemon", authority->daemon},
          {"endpoint", authority->endpoint}};
}

Json attachment_fields(const Attachment& attachment, const std::string& evidence) {
  return {{"pid", attachment.process ? Json(attachment.process->pid) : Json(nullptr)},
          {"guest", attachment.guest},
          {"since", format_rfc3339(attachment.since)},
          {"what", bytes_to_json(attachment.what)},
          {"evidence", evidence}};
}

std::string owner_cell(const session::AttachedNow& now) {
  const Attachment* owner = now.owner();
  const std::size_t guests = now.there.size() - (owner == nullptr ? 0 : 1);
  std::string text = "-";
  if (owner != nullptr) {
    text = owner->process ? "pid " + std::to_string(owner->process->pid) : "yes";
  }
  return guests == 0 ? text : text + " +" + std::to_string(guests);
}

TableRow workspace_view_cells_of(const Context& context, const WorkspaceRow& row, WallTime now) {
  if (const auto* unread = std::get_if<UnreadWorkspace>(&row)) {
    return {printable(unread->name), {"unreadable", Context::Paint::kRed}, "-", "-", "-",
            to_sentence(unread->why)};
  }
  if (const auto* bare = std::get_if<NoRecord>(&row)) {
    return {printable(bare->name), "no-record", "-", "-", "-", printable(bare->directory)};
  }
  const auto& facts = std::get<WorkspaceFacts>(row);
  const WorkspaceRecord& record = facts.record;
  return {printable(record.name),
          {std::string(to_text(record.state)), paint_of_workspace(record.state)},
          owner_cell(facts.now),
          ago_text(context, record.created, now),
          record.authority ? printable(to_text(*record.authority)) : "-",
          printable(facts.directory)};
}

}  // namespace

Result<WorkspaceFacts> facts_of(const session::SessionStore& store, WorkspaceRecord record) {
  std::string directory = HF_TRY(session::directory_of(store, record));
  const auto own = HF_TRY(store.find(record.name));
  session::AttachedNow now = session::attached_now(record, own ? &own->dir() : nullptr);
  return WorkspaceFacts{
      .record = std::move(record), .directory = std::move(directory), .now = std::move(now)};
}

Json workspace_json(const WorkspaceFacts& facts) {
  const WorkspaceRecord& record = facts.record;
  Json owner = nullptr;
  Json attached = Json::array();
  for (std::size_t i = 0; i < facts.now.there.size(); ++i) {
    attached.push_back(attachment_fields(facts.now.there[i], facts.now.evidence[i]));
    if (&facts.now.there[i] == facts.now.owner()) owner = attached.back();
  }
  Json fields = Json::object();
  for (const auto& [key, value] : record.fields) fields[key] = bytes_to_json(value);
  return {{"name", bytes_to_json(record.name)},
          {"state", to_text(record.state)},
          {"dir", bytes_to_json(facts.directory)},
          {"outside", record.outside},
          {"adopted", record.adopted},
          {"id", to_hex(record.id)},
          {"created", format_rfc3339(record.created)},
          {"authority", authority_fields(record.authority)},
          {"former_authority", authority_fields(record.former_authority)},
          {"resume_id", record.resume_id ? bytes_to_json(*record.resume_id) : Json(nullptr)},
          {"resumes", record.resumes},
          {"ttl_ms", record.ttl ? Json(workspace_view_milliseconds(*record.ttl)) : Json(nullptr)},
          {"owner", std::move(owner)},
          {"attached", std::move(attached)},
          {"ended", record.ended ? Json(format_rfc3339(record.ended->at)) : Json(nullptr)},
          {"reason", record.ended ? bytes_to_json(record.ended->reason) : Json(nullptr)},
          {"fields", std::move(fields)},
          {"change", record.change}};
}

std::string workspace_text(const WorkspaceFacts& facts, WallTime now) {
  const WorkspaceRecord& record = facts.record;
  std::string text;
  const auto line = [&](std::string_view key, const std::string& value) {
    text += padded(std::string(key), 13) + printable(value) + "\n";
  };
  line("workspace", record.name);
  line("state", std::string(to_text(record.state)));
  if (record.ended) {
    line("ended", format_rfc3339(record.ended->at) + ", " +
                      workspace_view_ago(record.ended->at, now) + " ago");
    if (!record.ended->reason.empty()) line("reason", record.ended->reason);
  }
  line("directory", facts.directory + (record.adopted ? " (adopted)" : ""));
  line("created",
       format_rfc3339(record.created) + ", " + workspace_view_ago(record.created, now) + " ago");
  line("authority", record.authority ? to_text(*record.authority) : "none");
  if (record.former_authority) line("formerly", to_text(*record.former_authority));
  if (record.resume_id) {
    line("resume id",
         *record.resume_id + ", handed out " + std::to_string(record.resumes) + " times");
  }
  if (record.ttl) line("ttl", format_duration(*record.ttl));
  if (facts.now.there.empty()) line("attached", "nobody");
  for (std::size_t i = 0; i < facts.now.there.size(); ++i) {
    const Attachment& one = facts.now.there[i];
    line(one.guest ? "guest" : "owner",
         session::attachment_text(one) + " (" + facts.now.evidence[i] + ")");
  }
  for (const auto& [key, value] : record.fields)
    line("field", std::string(key).append("=").append(value));
  return text;
}

std::string workspace_table(const Context& context, const std::vector<WorkspaceRow>& rows,
                            WallTime now) {
  std::vector<TableRow> cells;
  for (const WorkspaceRow& row : rows) cells.push_back(workspace_view_cells_of(context, row, now));
  return table_text(context, kWorkspaceColumns, cells);
}

Json workspace_row_json(const WorkspaceRow& row) {
  if (const auto* facts = std::get_if<WorkspaceFacts>(&row)) return workspace_json(*facts);
  if (const auto* bare = std::get_if<NoRecord>(&row)) {
    return {{"name", bytes_to_json(bare->name)},
            {"state", "no-record"},
            {"dir", bytes_to_json(bare->directory)}};
  }
  const auto& unread = std::get<UnreadWorkspace>(row);
  Json error = error_json(unread.why);
  error["subject"] = printable(unread.why.subject);
  return {{"name", bytes_to_json(unread.name)}, {"state", nullptr}, {"error", std::move(error)}};
}

}  // namespace holdfast::cli
