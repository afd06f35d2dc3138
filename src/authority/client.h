// SPDX-License-Identifier: Apache-2.0
//
// Running the client of an engine: found by PATH, reading nothing, with a time limit and a limit of
// what it may print, and over only when all that it started is gone (supervise/pipeline.h).
//
// Guarantee: the output is returned only where the client exited with 0, in time, nobody asked us
// to end meanwhile, and nothing that it left behind can add to the output. What it says on stderr
// goes to the caller's stderr: that is where people look for why.
//
// run_client_to_end is for questions whose answer is an exit code: any code is a result there.
//
// Errors: kCannotTell with the cause `no-client`, `timed-out`, `interrupted`, `garbled` (it printed
// more than kMaxClientOutput) or `failed` (everything else).
//
// Limit: what a client leaves running in its tree is ended with it. The first podman that a user
// runs without root after a boot leaves a process that keeps its namespaces; the next one makes it
// again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace holdfast::authority {

inline constexpr std::size_t kMaxClientOutput = std::size_t{64} << 20U;

// The end of the time for all the calls that one question takes.
class Deadline {
 public:
  explicit Deadline(Duration timeout);
  [[nodiscard]] Duration left() const;  // zero where it has passed

 private:
  BootTime end_;
};

// kPlain: with LC_ALL=C, so that no translation comes between us and the shape.
enum class Speech : std::uint8_t { kPlain, kUsersOwn };

Result<std::string> run_client(const std::vector<std::string>& argv, const Deadline& deadline,
                               Speech speech = Speech::kPlain);

struct ClientEnd {
  int code = 0;
  std::string output{};
};
std::string one_line(std::string_view output);  // its first line that says something
Result<ClientEnd> run_client_to_end(const std::vector<std::string>& argv, const Deadline& deadline);

}  // namespace holdfast::authority
