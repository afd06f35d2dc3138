// SPDX-License-Identifier: Apache-2.0
//
// The boundary of the C library: what goes in is checked, what comes
// out is a code, and nothing is thrown.
//
//   return answer(error, [&]() -> Result<int> {
//     const auto* hf = HF_TRY(open_handle(handle, "hf"));
//     …
//     return HOLDFAST_OK;
//   });
#pragma once

#include "holdfast/holdfast.h"

#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/exit_code.h"
#include "base/result.h"
#include "format/json/json.h"

namespace holdfast::capi {

// False: what the caller gave for errors is no such struct, and the call must not go on.
bool may_be_filled(const holdfast_error* error);
void clear(holdfast_error* error);
// Returns the code. `code` where an answer has one that no ErrorCode stands for.
int put(holdfast_error* error, const Error& what, std::optional<ExitCode> code = {});
int put_no_memory(holdfast_error* error);
int put_fault(holdfast_error* error, const char* what);

// `act` returns Result<int>; an answer that is not 0 has filled `error` itself.
template <typename Act>
int answer(holdfast_error* error, const Act& act) noexcept {
  if (!may_be_filled(error)) return HOLDFAST_USAGE;
  try {
    clear(error);
    const Result<int> done = act();
    return done ? *done : put(error, done.error());
  } catch (const std::bad_alloc&) {
    return put_no_memory(error);
  } catch (const std::exception& fault) {
    return put_fault(error, fault.what());
  } catch (...) {
    return put_fault(error, "an unknown exception");
  }
}

Error wrong_call(std::string_view cause, std::string_view argument, std::string_view detail);

Result<> require(const void* argument, std::string_view name);
// kUsage where a bit is set that nothing stands for.
Result<> known_flags(std::uint32_t flags, std::uint32_t known);

// A struct of the caller's, which may be older or newer than ours; all zeros for null. A text and a
// handle in it stay the caller's.
template <typename T>
Result<T> read_struct(const T* given, std::string_view name) {
  T own{};
  own.size = sizeof(T);
  if (given == nullptr) return own;
  const std::size_t size = given->size;
  if (size < sizeof(T))
    return fail(wrong_call("bad-size", name, "its `size` is not that of the struct"));
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  constexpr std::size_t kLargest = 4096;
  if (size > kLargest)
    return fail(wrong_call("bad-size", name, "its `size` is not that of the struct"));
  for (std::size_t at = sizeof(T); at < size; ++at) {
    if (bytes[at] != 0)
      return fail(wrong_call("newer-struct", name, "it asks for what this library does not know"));
  }
  std::memcpy(&own, given, sizeof(T));
  return own;
}

// The same for a struct that is filled. The rest of a newer one stays as it is.
template <typename T>
Result<> may_fill(const T* given, std::string_view name) {
  HF_TRY(require(given, name));
  if (given->size >= sizeof(T)) return {};
  return fail(wrong_call("bad-size", name, "its `size` is not that of the struct"));
}

// Cut at a character, ended by NUL.
void copy_text(std::string_view text, char* out, std::size_t room);
template <std::size_t N>
void copy_text(std::string_view text, char (&out)[N]) {
  copy_text(text, static_cast<char*>(out), N);
}

// For holdfast_free.
char* give(std::string_view text);
// The document of an answer; `out` may be null.
void give_document(char** out, int code, Json fields);

// 0 is `otherwise`; nullopt is for ever. Errors: kUsage.
Result<std::optional<Duration>> wait_of(std::int64_t milliseconds, Duration otherwise,
                                        std::string_view name);
// Of a limit that is optional: 0 is none.
Result<std::optional<Duration>> limit_of(std::int64_t milliseconds, std::string_view name);

// A list of texts that ends with null; null is none.
std::vector<std::string> texts_of(const char* const* list);

}  // namespace holdfast::capi
