// SPDX-License-Identifier: Apache-2.0
//
// For a file system that was allowed by name although its locks may lie: do they at least exclude
// on this machine? Tried with two open descriptions of a file that has no name, both kinds of lock.
//
// Limit: says nothing about other machines. Errors: kOsRefused `unsupported-fs` where a lock is
// given twice or not at all.
#pragma once

#include "base/result.h"
#include "lock/ledger/place.h"

namespace holdfast::lock {

Result<> try_exclusion(const Place& place);

}  // namespace holdfast::lock
