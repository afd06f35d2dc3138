// SPDX-License-Identifier: Apache-2.0
//
// adopt: directories that a harness made itself get records, so that gc looks after them. Nothing
// is moved or changed but the home.
//
// A workspace has the name of its directory, is `adopted`, outside of the home, with the
// directory's device and inode, and born now. One that has its record already is left as it is;
// where the directory was made anew since then, and nobody is attached, its record is renewed.
// Links, what is no directory, and holdfast's own (stages, the trash) are not adopted. A failure of
// that one alone: `name-taken`; `holds-another-workspace` where it is, holds or lies in the
// directory of another workspace, or the home, or has the record of a workspace in it;
// `inside-home` where it lies in any home of holdfast; `no-birth-time` where it could not be told
// from one that is put in its place; `in-the-trash` where a clean-up died over the one that had its
// record.
//
// Errors: the directory cannot be read; the authority cannot be described (kCannotTell, and nothing
// was adopted); kUsage for a template that is none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "gc/options.h"

namespace holdfast::gc {

struct AdoptRequest {
  std::string directory{};  // absolute
  std::string pattern{};
  std::optional<std::string> authority{};  // "podman:drydock-{*}"
  Duration timeout = authority::kProbeTimeout;
  bool only_look = false;  // nothing is written; `names` are those that would be adopted
};

struct Adopted {
  std::vector<std::string> names{};
  std::vector<Line> failed{};
  std::uint64_t known = 0;  // that were adopted before
  // Adopted, and no mark tells other homes of it (session/workspace/outside.h).
  std::vector<std::string> unmarked{};
  std::uint64_t matched = 0;  // names that the pattern fits, whatever became of them
};
Result<Adopted> adopt(const Services& services, const AdoptRequest& order);

}  // namespace holdfast::gc
