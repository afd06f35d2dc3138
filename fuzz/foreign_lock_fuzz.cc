// SPDX-License-Identifier: Apache-2.0
// Whatever another tool wrote: a holder has a pid above 0, and nobody else has anything; an object
// that names a pid is never overlooked.
#include <cstdlib>

#include "format/lock/foreign_lock.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using Kind = ForeignLock::Kind;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const ForeignLock lock = read_foreign_lock(bytes);
  const bool is_holder = lock.kind == Kind::kNumber || lock.kind == Kind::kJson;
  if (is_holder ? lock.pid <= 0 : lock != ForeignLock{.kind = lock.kind}) std::abort();
  if (lock.host && lock.host->empty()) std::abort();
  if (size > kMaxForeignLock && lock.kind != Kind::kUnrecognised) std::abort();
  if (size <= kMaxForeignLock && bytes.starts_with("{\"pid\":") && lock.kind != Kind::kJson &&
      lock.kind != Kind::kUnusable) {
    std::abort();
  }
  return 0;
}
