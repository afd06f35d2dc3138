// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstring>

#include "os/sys/os_error.h"

namespace holdfast::os {
namespace {

ErrorCode code_of(int os_code) {
  switch (os_code) {
    case ENOENT:
      return ErrorCode::kNotFound;
    case ELOOP:
      return ErrorCode::kRefused;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
    case EUCLEAN:
    case EBADMSG:
    case ENXIO:
    case ESTALE:
    case EPIPE:
      return ErrorCode::kIo;
    case EAGAIN:
    case EBUSY:
    case ETXTBSY:
    case ETIMEDOUT:
      return ErrorCode::kBusy;
    default:
      return ErrorCode::kOsRefused;
  }
}

std::string cause_of(int os_code) {
  const char* name = strerrorname_np(os_code);
  if (name == nullptr) return "errno-" + std::to_string(os_code);
  std::string cause(name);
  for (char& c : cause) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return cause;
}

std::string sentence_of(int os_code) {
  const char* text = strerrordesc_np(os_code);
  return text != nullptr ? text : "error number " + std::to_string(os_code);
}

}  // namespace

int last_os_code() { return errno; }

Error os_error(std::string_view op, std::string_view subject, int os_code, std::string_view state) {
  std::string detail = sentence_of(os_code);
  if (!state.empty()) detail += "; " + std::string(state);
  return {.code = code_of(os_code),
          .op = std::string(op),
          .subject = std::string(subject),
          .cause = cause_of(os_code),
          .detail = std::move(detail),
          .os_code = os_code};
}

Error last_os_error(std::string_view op, std::string_view subject, std::string_view state) {
  return os_error(op, subject, last_os_code(), state);
}

}  // namespace holdfast::os
