// SPDX-License-Identifier: Apache-2.0
//
// A tree to copy, and a place for the copy.
#pragma once

#include <filesystem>
#include <string>

#include "file/replace/file_fixture.h"
#include "file/tree/copy_tree.h"

namespace holdfast::file {

namespace fs = std::filesystem;

class CopyTreeFixture : public FileFixture {
 protected:
  void SetUp() override { make_places(); }
  void make_places() const {
    fs::create_directory(at("from"));
    fs::create_directory(at("to"));
  }
  [[nodiscard]] Result<TreePlan> plan() const {
    return plan_tree(*os::Dir::open(at("from")),
                     [](std::string_view name) { return name == "harness.json"; });
  }
  [[nodiscard]] std::string refusal() const {
    const auto planned = plan();
    return planned ? "(none)" : planned.error().cause;
  }
  Result<> copy(os::Durability durability = os::Durability::kNone) const {
    const os::Dir from = HF_TRY(os::Dir::open(at("from")));
    const os::Dir to = HF_TRY(os::Dir::open(at("to")));
    const TreePlan planned = HF_TRY(plan_tree(from, nullptr));
    auto copied = copy_tree(from, planned, to, durability);
    if (!copied) remove_copy(planned, to);
    return copied;
  }
  // A file, a secret, a directory that its owner may not write to, and links.
  void make_tree() const {
    put("from/plain", "plain");
    put("from/secret", "secret", 0600);
    fs::create_directories(at("from/dir/deep"));
    put("from/dir/deep/script", "#!", 0755);
    fs::create_symlink("../../plain", at("from/dir/deep/link"));
    fs::permissions(at("from/dir/deep"), fs::perms(0555));
  }
  void clear() const {
    for (const char* place : {"from/dir/deep", "to/dir/deep"}) {
      if (fs::exists(at(place))) fs::permissions(at(place), fs::perms(0755));
    }
    fs::remove_all(at("from"));
    fs::remove_all(at("to"));
    make_places();
  }
};

}  // namespace holdfast::file
