// SPDX-License-Identifier: Apache-2.0
//
// The FieldReader of journal/field_reader.h by simdjson, for questions to large journals: two to
// three times as fast as the core's, and it needs a shared library, which is why it lives in a
// helper program.
//
// Guarantee: the same answers. What simdjson reads and this file can vouch for is answered here
// (every value in front of the field is checked, not only stepped over); anything else (broken
// data, `\u` escapes, exponents, deep nesting) is given to the core's reader, which decides.
#pragma once

#include <memory>

#include "journal/field_reader.h"

namespace holdfast::helper {

std::unique_ptr<journal::FieldReader> make_simdjson_field_reader();

}  // namespace holdfast::helper
