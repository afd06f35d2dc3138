// SPDX-License-Identifier: Apache-2.0
#include "capi/boundary.h"

#include <algorithm>
#include <cstdlib>

#include "lock/grant/backend.h"

namespace holdfast::capi {

bool may_be_filled(const holdfast_error* error) {
  return error == nullptr || error->size >= sizeof(holdfast_error);
}

void clear(holdfast_error* error) {
  if (error == nullptr) return;
  error->code = 0;
  error->os_code = 0;
  error->cause[0] = error->op[0] = error->subject[0] = error->detail[0] = error->message[0] = 0;
}

int put(holdfast_error* error, const Error& what, std::optional<ExitCode> code) {
  const int answer = to_int(code.value_or(info(what.code).exit));
  if (error == nullptr) return answer;
  error->code = answer;
  error->os_code = what.os_code;
  copy_text(what.cause, error->cause);
  copy_text(what.op, error->op);
  copy_text(what.subject, error->subject);
  copy_text(what.detail, error->detail);
  copy_text(to_sentence(what), error->message);
  return answer;
}

int put_no_memory(holdfast_error* error) {
  if (error == nullptr) return HOLDFAST_INTERNAL;
  clear(error);
  error->code = HOLDFAST_INTERNAL;
  copy_text("no-memory", error->cause);
  copy_text("there is no memory left", error->detail);
  copy_text("cannot go on: there is no memory left", error->message);
  return HOLDFAST_INTERNAL;
}

int put_fault(holdfast_error* error, const char* what) {
  if (error == nullptr) return HOLDFAST_INTERNAL;
  clear(error);
  error->code = HOLDFAST_INTERNAL;
  copy_text("internal", error->cause);
  copy_text(what, error->detail);
  copy_text("a fault of holdfast", error->message);
  return HOLDFAST_INTERNAL;
}

Error wrong_call(std::string_view cause, std::string_view argument, std::string_view detail) {
  return {.code = ErrorCode::kUsage,
          .op = "use",
          .subject = "'" + std::string(argument) + "'",
          .cause = std::string(cause),
          .detail = std::string(detail)};
}

Result<> require(const void* argument, std::string_view name) {
  if (argument != nullptr) return {};
  return fail(wrong_call("null-argument", name, "it is NULL"));
}

Result<> known_flags(std::uint32_t flags, std::uint32_t known) {
  if ((flags & ~known) == 0) return {};
  return fail(wrong_call("bad-flags", "flags", "it asks for what this library does not know"));
}

void copy_text(std::string_view text, char* out, std::size_t room) {
  std::size_t length = std::min(text.size(), room - 1);
  if (length < text.size()) {
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  }
  std::memcpy(out, text.data(), length);
  out[length] = 0;
}

char* give(std::string_view text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = 0;
  return copy;
}

void give_document(char** out, int code, Json fields) {
  if (out == nullptr) return;
  Json document{{"ok", code == 0}, {"code", code}};
  document.update(std::move(fields));
  *out = give(document.dump());
}

namespace {

Result<Duration> milliseconds_of(std::int64_t milliseconds, std::string_view name) {
  if (milliseconds < 0) return fail(wrong_call("bad-value", name, "it is a time, not less than 0"));
  constexpr auto kMost = std::chrono::floor<std::chrono::milliseconds>(lock::kLongestTime);
  return std::chrono::milliseconds(std::min<std::int64_t>(milliseconds, kMost.count()));
}

}  // namespace

Result<std::optional<Duration>> wait_of(std::int64_t milliseconds, Duration otherwise,
                                        std::string_view name) {
  if (milliseconds == 0) return otherwise;
  if (milliseconds == HOLDFAST_FOREVER) return std::nullopt;
  if (milliseconds == HOLDFAST_AT_ONCE) return Duration::zero();
  return HF_TRY(milliseconds_of(milliseconds, name));
}

Result<std::optional<Duration>> limit_of(std::int64_t milliseconds, std::string_view name) {
  if (milliseconds == 0) return std::nullopt;
  return HF_TRY(milliseconds_of(milliseconds, name));
}

std::vector<std::string> texts_of(const char* const* list) {
  std::vector<std::string> texts;
  for (; list != nullptr && *list != nullptr; ++list) texts.emplace_back(*list);
  return texts;
}

}  // namespace holdfast::capi
