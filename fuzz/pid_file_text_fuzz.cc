// SPDX-License-Identifier: Apache-2.0
// Whatever a pid file holds: a number that no process can have is never taken from it.
#include <cstdlib>

#include "format/session/process_identity.h"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto text = read_pid_file_text({reinterpret_cast<const char*>(data), size});
  if (!text) return 0;
  if (text->pid <= 0 || size > kMaxPidFileBytes) std::abort();
  if (text->host && text->host->empty()) std::abort();
  return 0;
}
