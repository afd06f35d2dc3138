// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include "base/printable.h"

namespace holdfast {

Error not_durable(Error error) {
  error.code = ErrorCode::kNotDurable;
  error.detail += "; it is in place, but a power cut may still take it";
  return error;
}

std::string to_sentence(const Error& error) {
  std::string sentence = "cannot " + printable(error.op);
  if (!error.subject.empty()) sentence += " " + printable(error.subject);
  if (!error.detail.empty()) sentence += ": " + printable(error.detail);
  return sentence;
}

}  // namespace holdfast
