// SPDX-License-Identifier: Apache-2.0
#include "os/stream/socket_listener.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "testing/processes.h"
#include "testing/temp_dir.h"

namespace holdfast::os {
namespace {

void listen_at(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      ::listen(fd, 4) != 0) {
    ::_exit(51);
  }
}

TEST(SocketListener, IsTheProcessThatListens) {
  const testing::TempDir temp;
  const testing::WaitingChild child([&] { listen_at(temp.path("s")); });
  ASSERT_TRUE(child.ready());
  EXPECT_EQ(listener_of(temp.path("s")).value(), child.pid());
}

TEST(SocketListener, NobodyIsAnErrorAndNotANumber) {
  const testing::TempDir temp;
  EXPECT_EQ(listener_of(temp.path("none")).error().cause, "enoent");
  {
    const testing::WaitingChild child([&] { listen_at(temp.path("s")); });
    ASSERT_TRUE(child.ready());
  }
  EXPECT_EQ(listener_of(temp.path("s")).error().cause, "econnrefused");
  EXPECT_EQ(listener_of(temp.path(std::string(200, 'x'))).error().cause, "enametoolong");
}

}  // namespace
}  // namespace holdfast::os
