// SPDX-License-Identifier: Apache-2.0
#include "journal/field_reader.h"

#include "journal/field_reader_contract.h"

namespace holdfast::journal {

INSTANTIATE_TEST_SUITE_P(Json, FieldReaderContract, ::testing::Values(make_json_field_reader));

}  // namespace holdfast::journal
