// SPDX-License-Identifier: Apache-2.0
#include "file/block/block_record.h"

#include <string>
#include <utility>

#include "file/replace/replaced_record.h"

namespace holdfast::file {
namespace {

// On record a block of another tool without an id is called by its begin line.
std::string recorded_id(const BlockFile& block) {
  return block.id.empty() ? block.syntax.begin : block.id;
}

}  // namespace

Event block_changed_event(const BlockFile& block, const BlockEdited& done) {
  EventData data;
  data.text("path", recorded_path(block.path)).text("id", recorded_id(block));
  if (done.old_digest) data.text("old_sha256", to_hex(*done.old_digest));
  if (done.new_digest) data.text("new_sha256", to_hex(*done.new_digest));
  return {.type = "block.changed", .data = std::move(data)};
}

std::optional<Event> block_refused_event(const BlockFile& block, const Error& error,
                                         const BlockReport& report) {
  if (error.code == ErrorCode::kUsage || error.code == ErrorCode::kNotFound) return std::nullopt;
  EventData data;
  data.text("path", recorded_path(block.path))
      .text("id", recorded_id(block))
      .text("reason", error.cause.empty() ? "unknown" : error.cause);
  if (report.line > 0) data.count("line", report.line);
  return Event{.type = "block.refused", .data = std::move(data)};
}

}  // namespace holdfast::file
