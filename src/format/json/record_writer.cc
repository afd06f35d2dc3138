// SPDX-License-Identifier: Apache-2.0
#include "format/json/record_writer.h"

#include <algorithm>
#include <cstdint>

#include "format/text/crc32c.h"

namespace holdfast {
namespace {

constexpr std::string_view kSealKey = "crc32c";

std::string seal_of(std::string_view before) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint32_t crc = crc32c(before);
  std::string digits(8, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, crc >>= 4U) {
    *digit = kDigits[crc & 0xFU];
  }
  return ",\"" + std::string(kSealKey) + "\":\"" + digits + "\"}\n";
}

}  // namespace

std::string dump_sealed(const Json& record) {
  std::string bytes = record.dump();
  bytes.pop_back();  // the brace; the seal ends with it
  return bytes + seal_of(bytes);
}

Result<> check_seal(std::string_view bytes, const Json& record, const RecordFault& fault) {
  if (!record.contains(kSealKey)) return {};
  const std::size_t seal = seal_of({}).size();
  const std::string_view before = bytes.substr(0, bytes.size() - std::min(seal, bytes.size()));
  if (bytes.substr(before.size()) == seal_of(before)) return {};
  return fault.corrupt("its checksum is not that of its content");
}

}  // namespace holdfast
