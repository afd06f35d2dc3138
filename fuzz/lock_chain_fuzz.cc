// SPDX-License-Identifier: Apache-2.0
// A chain has one spelling: what is read is written as the same text.
#include <cstdlib>

#include "format/lock/lock_chain.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto chain = decode_chain(text);
  if (chain && (encode_chain(*chain) != text || chain->size() > kMaxChain)) std::abort();
  return 0;
}
