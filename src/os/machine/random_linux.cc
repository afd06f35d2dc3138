// SPDX-License-Identifier: Apache-2.0
#include "os/machine/random.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "os/process/pid.h"
#include "os/sys/os_error.h"
#include "os/sys/sys_linux.h"

namespace holdfast::os {
namespace {

constexpr std::size_t kIdBytes = sizeof(Id128::bytes);
// getrandom gives up to 256 bytes whole or not at all once the pool is seeded.
constexpr std::size_t kBlockBytes = 256;
static_assert(kBlockBytes % kIdBytes == 0);

struct Block {
  std::int64_t process = 0;  // process_mark of who drew it
  std::size_t used = kBlockBytes;
  std::array<std::uint8_t, kBlockBytes> bytes{};
};

thread_local Block thread_block;

}  // namespace

Result<Id128> random_id() {
  Id128 id;
  // Up to 256 bytes come whole or not at all once the pool is seeded; a short answer is refused.
  const ssize_t got =
      retry_eintr([&] { return sys().getrandom(id.bytes.data(), id.bytes.size(), 0); });
  if (got < 0) return fail(last_os_error("get random bits from", "the kernel"));
  if (static_cast<std::size_t>(got) != id.bytes.size()) {
    return fail(os_error("get random bits from", "the kernel", EIO));
  }
  return id;
}

void forget_random_block() { thread_block.used = kBlockBytes; }

Result<Id128> random_token() {
  const std::int64_t process = process_mark();
  if (thread_block.used == kBlockBytes || thread_block.process != process) {
    thread_block.used = kBlockBytes;  // until it is whole
    const ssize_t got =
        retry_eintr([&] { return sys().getrandom(thread_block.bytes.data(), kBlockBytes, 0); });
    if (got < 0) return fail(last_os_error("get random bits from", "the kernel"));
    if (static_cast<std::size_t>(got) != kBlockBytes)
      return fail(os_error("get random bits from", "the kernel", EIO));
    thread_block.process = process;
    thread_block.used = 0;
  }
  Id128 id;
  const auto from = thread_block.bytes.begin() + static_cast<std::ptrdiff_t>(thread_block.used);
  std::copy_n(from, kIdBytes, id.bytes.begin());
  std::fill_n(from, kIdBytes, std::uint8_t{0});  // what was given out is nobody else's to read
  thread_block.used += kIdBytes;
  return id;
}

}  // namespace holdfast::os
