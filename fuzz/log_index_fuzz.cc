// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes: each block says something or nothing; what it says survives encode and decode
// again.
#include <cstdlib>

#include "format/session/log_index.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (std::size_t at = 0; at < size; at += kLogIndexBlock) {
    const std::string_view block = bytes.substr(at, kLogIndexBlock);
    if (const auto inode = decode_log_index_head(block)) {
      const LogIndexBlock again = encode_log_index_head(*inode);
      if (std::string_view(again.data(), again.size()) != block) std::abort();
    }
    const auto entry = decode_log_index_entry(block);
    if (!entry) continue;
    const LogIndexBlock again = encode_log_index_entry(*entry);
    if (decode_log_index_entry({again.data(), again.size()}) != entry) std::abort();
  }
  return 0;
}
