// SPDX-License-Identifier: Apache-2.0
#include "file/replace/replaced_record.h"

#include <utility>

#include "os/path/path.h"

namespace holdfast::file {
Json replaced_fields(const Replaced& done) {
  return {{"changed", done.changed},
          {"committed", done.committed},
          {"durable", done.durable},
          {"old_sha256", done.old_digest ? Json(to_hex(*done.old_digest)) : Json(nullptr)},
          {"new_sha256", to_hex(done.new_digest)},
          {"bytes", done.bytes},
          {"backup", done.backup ? Json(*done.backup) : Json(nullptr)},
          {"fenced", done.fences > 0},
          {"fences", done.fences}};
}

std::string recorded_path(const std::string& path) {
  return os::absolute_from_here(path).value_or(path);
}

Event replaced_event(const std::string& path, const Replaced& done) {
  EventData data;
  data.text("path", recorded_path(path));
  if (done.old_digest) data.text("old_sha256", to_hex(*done.old_digest));
  data.text("new_sha256", to_hex(done.new_digest));
  data.flag("durable", done.durable).count("bytes", done.bytes);
  return {.type = "file.replaced", .data = std::move(data)};
}

bool changed_nothing(const Error& error) { return error.code != ErrorCode::kNotDurable; }

Event refused_event(const std::string& path, const Error& error) {
  return {.type = "file.refused",
          .data = EventData()
                      .text("path", recorded_path(path))
                      .text("reason", error.cause.empty() ? "unknown" : error.cause)};
}

}  // namespace holdfast::file
