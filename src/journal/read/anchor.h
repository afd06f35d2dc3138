// SPDX-License-Identifier: Apache-2.0
//
// Anchor: what is kept elsewhere (a file of somebody else, a mail, a commit) so that nobody can
// change or cut off what the journal said until then:
//
//   {"v":1,"journal":"<32 hex>","seq":N,"head":"<43 base64url>","time":"2026-11-15T07:46:00.123Z"}
//
// One line, one JSON object. Further keys are allowed; a newer version is kCannotTell
// (`newer-version`); anything else is kCorrupt, cause `bad-anchor`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/id128.h"
#include "base/result.h"

namespace holdfast::journal {

struct Anchor {
  static constexpr std::int64_t kVersion = 1;

  Id128 journal{};
  std::uint64_t seq = 0;
  Digest head{};    // the chain hash of record `seq`
  WallTime time{};  // when the anchor was made; says nothing about the record

  bool operator==(const Anchor&) const = default;
};

std::string encode_anchor(const Anchor& anchor);  // with its newline
Result<Anchor> parse_anchor(std::string_view line, std::string_view subject);
// All lines of a file; empty lines are allowed, but not nothing else: a file that pins nothing is
// kCorrupt `bad-anchor`, too. An error names `subject:LINE`.
Result<std::vector<Anchor>> parse_anchors(std::string_view text, std::string_view subject);

}  // namespace holdfast::journal
