// SPDX-License-Identifier: Apache-2.0
//
// What hf_counts can do. An operation is prepared once and then done `times` times in the current
// directory, which is empty. Times, names and numbers in it are fixed, so that two runs differ only
// by what the machine gives (process numbers, random tokens).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/result.h"

namespace holdfast::bench {

struct Operation {
  std::string_view name;
  void (*perform)(std::uint64_t times);
};

std::span<const Operation> command_operations();
std::span<const Operation> file_operations();
std::span<const Operation> journal_operations();
std::span<const Operation> lock_operations();
std::span<const Operation> process_operations();
std::span<const Operation> text_operations();

[[noreturn]] void die(std::string_view what, std::string_view why);
void must(bool good, std::string_view what);
template <typename T>
T must(Result<T> result) {
  if (!result) die("failed", to_sentence(result.error()));
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// The compiler has to take it that somebody looks at the value, and that everything has changed.
template <typename T>
void look_at(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

}  // namespace holdfast::bench
