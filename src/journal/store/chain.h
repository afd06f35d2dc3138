// SPDX-License-Identifier: Apache-2.0
//
// The chain: each record's hash covers the record before it, so that a record cannot be changed,
// left out or put in between without every later hash being wrong.
//
//   h = SHA-256("holdfast-journal" ‖ journal id ‖ previous h ‖ the record's bytes before `,"h":`)
//
// The first three fill exactly one block. The first record of a journal has a previous h of zeros;
// the first record of a later segment continues from the last of the one before. The journal id
// keeps records of one journal from verifying in another.
//
// Limit: whoever can write the files can also re-chain them, or cut the tail off; an anchor kept
// elsewhere (`journal anchor`) is what shows that.
#pragma once

#include <string_view>

#include "base/digest.h"
#include "base/id128.h"

namespace holdfast::journal {

Digest chain_hash(const Id128& journal, const Digest& previous, std::string_view hashed);

}  // namespace holdfast::journal
