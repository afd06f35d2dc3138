// SPDX-License-Identifier: Apache-2.0
//
// The hostile interleaving: the maker has made the directory and not yet its lock. Then there is no
// lock to be tried, and only the time speaks: a maker that takes longer than the grace between two
// system calls finds its stage gone, says so, and has published nothing.
#include "gc/leftovers.h"

#include "os/dir_lock.h"
#include "os/remove_tree.h"
#include "session/layout.h"
#include "session/own_file.h"

namespace holdfast::gc {
namespace {

// True: nobody holds it, and nobody gets it while `lock` is there.
bool lock_free(const os::Dir& dir, std::optional<os::File>& lock) {
  auto file = session::open_own_file(dir, session::harness_lock_name());
  if (!file) return false;
  if (!*file) return true;
  lock = *std::move(file);
  const auto locked = os::try_lock_file(*lock);
  return locked && *locked;
}

}  // namespace

void remove_stages(const Services& services, Duration grace, const std::vector<std::string>& stages,
                   Report& report) {
  const WallTime now = services.clock.wall();
  for (const std::string& stage : stages) {
    if (services.stop.raised()) return;
    const auto name = os::SafeName::make(stage);
    if (!name) continue;
    const auto dir = services.sessions.dir().open_dir(*name);
    if (!dir) continue;
    const auto info = dir->info();
    if (!info || now - info->changed < grace) continue;
    std::optional<os::File> lock;
    if (!lock_free(*dir, lock)) continue;
    const os::TreeRemoval removal = os::remove_tree(services.sessions.dir(), *name, &services.stop);
    if (removal.gone || removal.stopped) continue;
    report.warnings.push_back(stage + ": what a `session new` left behind could not be removed");
  }
}

}  // namespace holdfast::gc
