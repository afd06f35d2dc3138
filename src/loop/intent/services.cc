// SPDX-License-Identifier: Apache-2.0
#include "loop/intent/services.h"

namespace holdfast::loop {

Result<LoopServices> loop_services(runtime::Runtime& own, runtime::Runtime& for_runs,
                                   LockChain chain) {
  const session::SessionStore* sessions = HF_TRY(own.sessions());
  lock::LocalBackend* locks = HF_TRY(own.locks());
  lock::LocalBackend* run_locks = HF_TRY(for_runs.locks());
  return LoopServices{.clock = own.clock(),
                      .sessions = *sessions,
                      .events = own.events(),
                      .locks = *locks,
                      .run_events = for_runs.events(),
                      .run_locks = *run_locks,
                      .let_go = [&own] { own.events().forget(); },
                      .chain = std::move(chain)};
}

}  // namespace holdfast::loop
