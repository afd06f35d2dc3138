// SPDX-License-Identifier: Apache-2.0
//
// The promise of ensure under every failing call and every death: what existed is as it was, and
// each declared thing is absent or whole, with its mode; a pinned mode is the old or the new one.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "file/ensure/ensure_fixture.h"
#include "file/replace/status_linux_fixture.h"
#include "os/file/staged_file.h"
#include "testing/crash_sweep.h"
#include "testing/fault_sweep.h"

namespace holdfast::file {
namespace {

using testing::SweepCase;

struct Kernel {
  const char* name;
  testing::MissingCalls missing{};
};
void PrintTo(const Kernel& kernel, std::ostream* out) { *out << kernel.name; }

class EnsureSweep : public EnsureFixture, public ::testing::WithParamInterface<Kernel> {
 protected:
  // What a process does once for all must not be counted in the first run.
  void SetUp() override { ASSERT_TRUE(ensure({file("first")})); }

  void prepare() {
    tmp_.clear();
    put("kept", "old content", 0600);
    put("pinned", "pinned content", 0600);
  }
  [[nodiscard]] std::vector<ManifestEntry> entries() const {
    ManifestEntry pinned = file("pinned", 0644);
    pinned.pin = true;
    ManifestEntry inner = file("p/f", 0664);
    inner.parents = true;
    inner.initial = "initial\n";
    return {inner, dir("d", 01775), file("d/e", 0666), file("kept", 0644), pinned};
  }
  [[nodiscard]] bool is_there(std::string_view name) const {
    struct stat info{};
    return ::lstat(at(name).c_str(), &info) == 0;
  }
  void expect_absent_or(std::string_view name, mode_t wanted) const {
    if (is_there(name)) {
      EXPECT_EQ(mode(name), wanted) << name;
    }
  }
  void expect_sound() const {
    EXPECT_EQ(content("kept"), "old content");
    EXPECT_EQ(mode("kept"), 0600U);
    EXPECT_EQ(content("pinned"), "pinned content");
    EXPECT_TRUE(mode("pinned") == 0600 || mode("pinned") == 0644);
    expect_absent_or("d", 01775);
    expect_absent_or("d/e", 0666);
    expect_absent_or("p", 0755);
    expect_absent_or("p/f", 0664);
    if (is_there("p/f")) {
      EXPECT_EQ(content("p/f"), "initial\n");
    }
  }
  [[nodiscard]] bool all_made() const {
    return is_there("d/e") && is_there("p/f") && mode("pinned") == 0644;
  }
  [[nodiscard]] bool has_stage() const {
    bool found = false;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tmp_.path())) {
      const std::string name = entry.path().filename().string();
      found = found || (os::is_stage_name(name) && name != os::kDirLockName.text());
    }
    return found;
  }
};

TEST_P(EnsureSweep, UnderEveryFaultEachThingIsAbsentOrWhole) {
  const ScopedUmask scoped(077);
  const std::size_t cases =
      testing::fault_sweep({.prepare = [&] { prepare(); },
                            .body = [&] { return ensure(entries()).has_value(); },
                            .check =
                                [&](const SweepCase& fault, bool succeeded) {
                                  SCOPED_TRACE(fault.description);
                                  expect_sound();
                                  if (succeeded) {
                                    EXPECT_TRUE(all_made());
                                  }
                                  // A stage stays only where it could not be removed, or not be
                                  // seen.
                                  if (!fault.fails("unlinkat")) {
                                    EXPECT_FALSE(has_stage());
                                  }
                                },
                            .missing = GetParam().missing});
  EXPECT_GT(cases, 100U);
}

TEST_P(EnsureSweep, AfterEveryDeathTheNextOneCompletesIt) {
  const ScopedUmask scoped(077);
  const std::size_t mutations = testing::crash_sweep({.prepare = [&] { prepare(); },
                                                      .body = [&] { (void)ensure(entries()); },
                                                      .recover =
                                                          [&](std::size_t died_before) {
                                                            SCOPED_TRACE(died_before);
                                                            expect_sound();
                                                            EXPECT_TRUE(ensure(entries()));
                                                            expect_sound();
                                                            EXPECT_TRUE(all_made());
                                                          },
                                                      .missing = GetParam().missing});
  EXPECT_GT(mutations, 20U);
}

TEST_P(EnsureSweep, ThroughLinksToo) {
  const ScopedUmask scoped(077);
  const auto through_link = [&] {
    std::vector<ManifestEntry> all = entries();
    for (ManifestEntry& entry : all) {
      entry.path.insert(tmp_.path().size(), "/way");
    }
    return ensure(all, Links::kFollow).has_value();
  };
  const auto prepare_link = [&] {
    prepare();
    std::filesystem::create_symlink(".", at("way"));
  };
  const std::size_t cases = testing::fault_sweep({.prepare = prepare_link,
                                                  .body = through_link,
                                                  .check =
                                                      [&](const SweepCase& fault, bool succeeded) {
                                                        SCOPED_TRACE(fault.description);
                                                        expect_sound();
                                                        if (succeeded) {
                                                          EXPECT_TRUE(all_made());
                                                        }
                                                      },
                                                  .missing = GetParam().missing});
  EXPECT_GT(cases, 200U);
}

INSTANTIATE_TEST_SUITE_P(Kernels, EnsureSweep,
                         ::testing::Values(Kernel{"this_one"},
                                           Kernel{"without_unnamed_files",
                                                  {{"openat_tmpfile", EOPNOTSUPP}}}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace holdfast::file
