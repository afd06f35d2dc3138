// SPDX-License-Identifier: Apache-2.0
//
// on_two_threads(work, items): calls work(worker, item) for each item, worker being 0 or 1; no
// worker has two calls at once. Two, because more readers of one file system gain little and memory
// is bounded by them. Where there is one item, or no thread can be had, everything runs in the
// caller.
//
// The first Error ends it: items that have not begun are left out.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <system_error>
#include <thread>

#include "base/result.h"

namespace holdfast::journal {

template <typename Work>
Result<> on_two_threads(std::size_t items, Work&& work) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::array<std::optional<Error>, 2> errors;
  const auto run = [&](std::size_t worker) {
    while (!failed) {
      const std::size_t item = next++;
      if (item >= items) break;
      if (Result<> done = work(worker, item); !done) {
        errors[worker] = std::move(done).error();
        failed = true;
      }
    }
  };
  std::optional<std::thread> second;
  if (items > 1) {
    try {
      second.emplace(run, std::size_t{1});
    } catch (const std::system_error&) {
      // No thread to be had: one does all of it.
    }
  }
  run(0);
  if (second) second->join();
  for (std::optional<Error>& error : errors) {
    if (error) return fail(*std::move(error));
  }
  return {};
}

}  // namespace holdfast::journal
