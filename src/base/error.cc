// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include "base/printable.h"

namespace holdfast {

std::string to_sentence(const Error& error) {
  std::string sentence = "cannot " + printable(error.op);
  if (!error.subject.empty()) sentence += " " + printable(error.subject);
  if (!error.detail.empty()) sentence += ": " + printable(error.detail);
  return sentence;
}

}  // namespace holdfast
