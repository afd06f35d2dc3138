// SPDX-License-Identifier: Apache-2.0
//
// A home with workspaces, a place outside of it, and a template.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "os/file/staged_file.h"
#include "os/machine/real_clock.h"
#include "session/record/session_fixture.h"
#include "session/workspace/workspace.h"
#include "session/workspace/workspace_new.h"

namespace holdfast::session {

class NewWorkspaceFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(proc::own_identity());  // what is asked once per process is not swept
    start_afresh();
  }
  void start_afresh() {
    tmp_.clear();
    std::filesystem::create_directories(tmp_.path("home/sessions"));
    std::filesystem::create_directories(tmp_.path("out"));
    std::filesystem::create_directories(tmp_.path("template/sub"));
    std::ofstream(tmp_.path("template/sub/file")) << "text";
  }
  [[nodiscard]] SessionStore store() const {
    return SessionStore(*os::Dir::open(tmp_.path("home/sessions")));
  }
  [[nodiscard]] WorkspaceRequest order() const {
    return {.name = "web", .owner = own_identity(), .what = "a test"};
  }
  [[nodiscard]] WorkspaceRequest outside_order() const {
    WorkspaceRequest outside = order();
    outside.directory = tmp_.path("out/{name}");
    return outside;
  }
  Result<WorkspaceMade> make(WorkspaceRequest wanted, bool from_template = false) const {
    const os::Dir from = HF_TRY(os::Dir::open(tmp_.path("template")));
    if (from_template) wanted.from = &from;
    return make_workspace(store(), wanted, os::RealClock());
  }
  [[nodiscard]] std::string cause(const Result<WorkspaceMade>& made) const {
    return made ? "(made)" : made.error().cause;
  }
  [[nodiscard]] std::vector<std::string> names_in(const std::string& place) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(tmp_.path(place))) {
      // The list of session/workspace/outside.h is no workspace.
      if (entry.path().filename() == ".holdfast-outside") continue;
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }
  // But for what a crash may leave.
  [[nodiscard]] std::vector<std::string> visible_in(const std::string& place) const {
    std::vector<std::string> names = names_in(place);
    std::erase_if(names, [](const std::string& name) { return os::is_stage_name(name); });
    return names;
  }

  testing::TempDir tmp_;
  using Names = std::vector<std::string>;
};

}  // namespace holdfast::session
