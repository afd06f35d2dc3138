// SPDX-License-Identifier: Apache-2.0
#include "format/json/boot_moment_json.h"

#include "format/json/json.h"

namespace holdfast {

Json moment_json(const BootMoment& moment) {
  Json json{{"boot", to_hex(moment.boot)}, {"boot_ns", moment.boot_ns}};
  if (moment.timens != 0) json["timens"] = moment.timens;
  if (moment.machine != Id128{}) json["machine"] = to_hex(moment.machine);
  return json;
}

BootMoment need_moment(RecordReader& record, const char* key) {
  auto read = record.need_object(key);
  if (!read) return {};
  BootMoment moment{.boot = read->id("boot")};
  const auto at = read->find_signed("boot_ns");
  if (!at || *at < 0) read->wrong("boot_ns");
  moment.boot_ns = at.value_or(0);
  moment.timens = read->find_count("timens").value_or(0);
  if (read->find_text("machine")) moment.machine = read->id("machine");
  return moment;
}

}  // namespace holdfast
