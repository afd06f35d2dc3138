// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cerrno>

#include "os/spawn/child.h"
#include "os/sys/os_error.h"
#include "testing/sys_swap_linux.h"

namespace holdfast::os {
namespace {

struct Row {
  int os_code;
  const char* cause;
  ErrorCode code;
};

TEST(OsErrorPosix, EachErrnoHasItsNameAndTheCodeThatTellsWhatToDo) {
  for (const Row& row : {
           Row{ENOENT, "enoent", ErrorCode::kNotFound},
           Row{ELOOP, "eloop", ErrorCode::kRefused},
           Row{ENOSPC, "enospc", ErrorCode::kIo},
           Row{EDQUOT, "edquot", ErrorCode::kIo},
           Row{EFBIG, "efbig", ErrorCode::kIo},
           Row{EIO, "eio", ErrorCode::kIo},
           Row{EUCLEAN, "euclean", ErrorCode::kIo},
           Row{EBADMSG, "ebadmsg", ErrorCode::kIo},
           Row{ENXIO, "enxio", ErrorCode::kIo},
           Row{ESTALE, "estale", ErrorCode::kIo},
           Row{EPIPE, "epipe", ErrorCode::kIo},
           Row{EAGAIN, "eagain", ErrorCode::kBusy},
           Row{EBUSY, "ebusy", ErrorCode::kBusy},
           Row{ETXTBSY, "etxtbsy", ErrorCode::kBusy},
           Row{ETIMEDOUT, "etimedout", ErrorCode::kBusy},
           Row{EACCES, "eacces", ErrorCode::kOsRefused},
           Row{EPERM, "eperm", ErrorCode::kOsRefused},
           Row{EROFS, "erofs", ErrorCode::kOsRefused},
           Row{EMFILE, "emfile", ErrorCode::kOsRefused},
           Row{ENFILE, "enfile", ErrorCode::kOsRefused},
           Row{ENOMEM, "enomem", ErrorCode::kOsRefused},
           Row{ENOSYS, "enosys", ErrorCode::kOsRefused},
           Row{ESRCH, "esrch", ErrorCode::kOsRefused},
           Row{ENOTDIR, "enotdir", ErrorCode::kOsRefused},
       }) {
    const Error error = os_error("write", "f", row.os_code);
    EXPECT_EQ(error.cause, row.cause);
    EXPECT_EQ(error.code, row.code) << row.cause;
    EXPECT_EQ(error.os_code, row.os_code);
    EXPECT_FALSE(error.detail.empty()) << row.cause;
  }
}

TEST(OsErrorPosix, ForkAtItsLimitIsRefusedAndNotBusy) {
  const testing::MissingCalls missing{{"fork", EAGAIN}};
  testing::OldKernel kernel(missing);
  const testing::ScopedCallHook hook(kernel);
  const auto forked = fork_process();
  ASSERT_FALSE(forked);
  EXPECT_EQ(forked.error().code, ErrorCode::kOsRefused);
  EXPECT_EQ(forked.error().cause, "eagain");
}

}  // namespace
}  // namespace holdfast::os
