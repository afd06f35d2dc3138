// SPDX-License-Identifier: Apache-2.0
//
// What the tests of ensure share.
#pragma once

#include "file/ensure/ensure.h"
#include "file/replace/file_fixture.h"

namespace holdfast::file {

class EnsureFixture : public FileFixture {
 protected:
  [[nodiscard]] ManifestEntry file(std::string_view name, std::uint32_t mode = 0640) const {
    return {.path = at(name), .type = PathType::kFile, .mode = mode};
  }
  [[nodiscard]] ManifestEntry dir(std::string_view name, std::uint32_t mode = 0750) const {
    return {.path = at(name), .type = PathType::kDirectory, .mode = mode};
  }

  // Plan and apply; `done` says what was done.
  Result<> ensure(const std::vector<ManifestEntry>& entries, Links links = Links::kRefuse,
                  const EnsureOptions& options = {}) {
    done = {};
    const EnsurePlan plan = plan_ensure(entries, Purpose::kApply, TrustDir::kOnlyOwn, links);
    if (const Error* refusal = plan.refusal()) return fail(*refusal);
    return apply_ensure(entries, plan, options, done);
  }
  // What a mere look finds about one entry.
  static Finding look(const ManifestEntry& entry) {
    return plan_ensure({entry}, Purpose::kLook).findings.front();
  }
  [[nodiscard]] std::vector<std::string> created() const {
    std::vector<std::string> paths;
    for (const auto& made : done.created) paths.push_back(made.path.substr(tmp_.path().size() + 1));
    return paths;
  }

  EnsureDone done;
};

}  // namespace holdfast::file
