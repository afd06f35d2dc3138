// SPDX-License-Identifier: Apache-2.0
//
// The codec of an identity as people and scripts keep it: one line of JSON.
//
//   {"v":1,"boot":"…32 hex…","machine":"…","pidns":4026531836,"timens":4026531834,"pid":4711,
//    "start":88231,"pidfs":70301,"uid":1000,"run":null}
//
// `boot`, `machine` and `run` are 32 lower-case hexadecimal digits (zeros: not known), `run` may be
// null or missing; everything else is a whole number that is not negative. What they mean is said
// in proc/identity/identity.h. `run` is the run id that the process carries in its environment
// (HOLDFAST_RUN), for people and for finding what else carries it; it is never compared to tell
// whether two processes are the same.
//
// Unknown further keys are allowed, so the document of `holdfast identify --json` is an identity as
// well. A newer version is kCannotTell (format_version.h); anything else that is not such an object
// (also one that is cut short, or with a key of it twice) is kCorrupt, cause `bad-identity`.
//
// Limit: tools that read every number as a double (jq before 1.7) change numbers above 2^53, which
// the kernel has not reached anywhere; the identity would then be another one, and never match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id128.h"
#include "base/result.h"
#include "format/json/json.h"
#include "format/session/process_identity.h"

namespace holdfast {

struct IdentityRecord {
  static constexpr std::int64_t kVersion = 1;

  ProcessIdentity process{};
  std::optional<Id128> run{};

  bool operator==(const IdentityRecord&) const = default;
};

inline constexpr std::size_t kMaxIdentityBytes = 4096;

// One line without its newline.
std::string encode_identity(const IdentityRecord& identity);
// `subject` names the source in errors. White space around the object is allowed.
Result<IdentityRecord> decode_identity(std::string_view bytes, std::string_view subject);

// The same inside another record, which is parsed already. Only there: a key that stands twice is
// not seen any more.
Json identity_to_object(const IdentityRecord& identity);
Result<IdentityRecord> identity_from_object(const Json& object, std::string_view subject);

}  // namespace holdfast
