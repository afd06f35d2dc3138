// SPDX-License-Identifier: Apache-2.0
//
// Put before every file of a ThreadSanitizer build. GCC 12's runtime does not know
// pthread_mutex_clocklock, which std::timed_mutex waits with: it sees the unlock without the lock
// and reports every use. Without this macro the library takes pthread_mutex_timedlock, which it
// knows.
#pragma once

#include <version>  // brings the library's configuration, and nothing else

#undef _GLIBCXX_USE_PTHREAD_MUTEX_CLOCKLOCK
