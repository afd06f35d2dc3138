// SPDX-License-Identifier: Apache-2.0
#include "os/machine/random.h"

#include "os/sys/native_win.h"

namespace holdfast::os {

Result<Id128> random_id() {
  Id128 id;
  const NTSTATUS status =
      sys().BCryptGenRandom(nullptr, id.bytes.data(), static_cast<ULONG>(id.bytes.size()),
                            BCRYPT_USE_SYSTEM_PREFERRED_RNG);
  if (status < 0) {  // an NTSTATUS is no Win32 error: its number goes into the sentence only
    return fail(win_error("get random bits from", "the kernel", ERROR_GEN_FAILURE,
                          "BCryptGenRandom answered " + std::to_string(status)));
  }
  return id;
}

// Each one is drawn: BCryptGenRandom keeps a pool in this process and costs no call of the kernel.
Result<Id128> random_token() { return random_id(); }

void forget_random_block() {}

}  // namespace holdfast::os
