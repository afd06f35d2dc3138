// SPDX-License-Identifier: Apache-2.0
#include "os/stream/pipe.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/id128.h"
#include "os/dir/dir.h"
#include "os/file/file.h"
#include "os/file/security_win.h"
#include "os/machine/random.h"
#include "os/path/wide_win.h"
#include "os/sys/native_win.h"
#include "os/watch/poll.h"

namespace holdfast::os {
namespace {

constexpr DWORD kRoom = 65536;
constexpr std::size_t kMaxPipeTransfer = std::size_t{1} << 30U;

constexpr std::string_view kFifoPrefix = "\\\\.\\pipe\\holdfast-";
constexpr std::size_t kIdLength = 32;
constexpr DWORD kBusyStep = 100;  // ms
constexpr int kBusySteps = 20;
constexpr int kMostFailures = 600;  // in a row: a minute
constexpr std::size_t kMostOfFile = 128;

Error fifo_refused(const Dir& dir, const SafeName& name, const char* why) {
  return {.code = ErrorCode::kRefused,
          .op = "use",
          .subject = dir.path_of(name),
          .cause = "not-a-fifo",
          .detail = why};
}

bool is_pipe_name(std::string_view text) {
  return text.size() == kFifoPrefix.size() + kIdLength && text.starts_with(kFifoPrefix) &&
         text.substr(kFifoPrefix.size()).find_first_not_of("0123456789abcdef") ==
             std::string_view::npos;
}

// One whose maker died, or has not come further yet: a part of a name, none at all included.
bool is_half_made(std::string_view text) {
  const std::string_view start = text.substr(0, kFifoPrefix.size());
  return text.size() < kFifoPrefix.size() + kIdLength && kFifoPrefix.starts_with(start);
}

struct Named {
  bool there = false;
  std::string pipe{};  // empty: nobody listens
};

Result<Named> read_name(const Dir& dir, const SafeName& name) {
  auto file = dir.open_file(name, Access::kRead);
  if (!file) return fail(file.error());
  if (!*file) return Named();
  auto text = (*file)->read_all(kMostOfFile);
  if (text && is_half_made(*text)) return Named{.there = true};
  if (!text || !is_pipe_name(*text))
    return fail(fifo_refused(dir, name, "it does not name a pipe"));
  return Named{.there = true, .pipe = *std::move(text)};
}

// Who comes, one after another, until nobody reads what they say. A pipe that does not work for a
// moment is tried again: else a supervisor would go on, and never be heard of again.
void receive(Handle server, Handle to) {
  std::array<char, kMostAtOnce> buffer{};
  int failures = 0;
  while (failures < kMostFailures) {
    const bool connected = sys().ConnectNamedPipe(handle_of(server), nullptr) != FALSE ||
                           last_error() == ERROR_PIPE_CONNECTED;
    if (!connected && last_error() != ERROR_NO_DATA) {  // NO_DATA: it came and went
      ++failures;
      sys().DisconnectNamedPipe(handle_of(server));
      sys().Sleep(kBusyStep);
      continue;
    }
    failures = 0;
    std::size_t length = 0;
    while (length < buffer.size()) {
      const auto got = read_pipe(server, std::span(buffer).subspan(length));
      if (!got || *got == 0) break;
      length += *got;
    }
    sys().DisconnectNamedPipe(handle_of(server));
    if (length == 0) continue;
    if (!write_some(to, {buffer.data(), length})) return;
  }
}

// Says it, if it can be said at once. False: nobody is there any more.
bool visit(const std::wstring& name, std::string_view bytes) {
  const Handle pipe = own(sys().CreateFileW(name.c_str(), kWriteRights, 0, nullptr, OPEN_EXISTING,
                                            SECURITY_SQOS_PRESENT | SECURITY_ANONYMOUS, nullptr));
  if (!pipe.valid()) return last_error() == ERROR_PIPE_BUSY;
  return write_some(pipe, bytes).has_value();
}

void visit_those_before(const std::wstring& next) {
  static auto* const mutex = new std::mutex;
  static auto* const before = new std::vector<std::wstring>;
  const std::scoped_lock lock(*mutex);
  std::erase_if(*before, [](const std::wstring& name) { return !visit(name, "\n"); });
  before->push_back(next);
}

}  // namespace

Result<Pipe> make_pipe() {
  HANDLE read_end = nullptr;
  HANDLE write_end = nullptr;
  if (sys().CreatePipe(&read_end, &write_end, nullptr, kRoom) == FALSE) {
    return fail(last_os_error("make", "a pipe"));
  }
  return Pipe{.read_end = own(read_end), .write_end = own(write_end)};
}

// An anonymous pipe of Windows has one direction.
Handle unbreakable_end(Handle write_end) { return write_end; }

Result<std::size_t> write_some(const Handle& write_end, std::string_view bytes) {
  const auto count = static_cast<DWORD>(std::min(bytes.size(), kMaxPipeTransfer));
  DWORD wrote = 0;
  if (sys().WriteFile(handle_of(write_end), bytes.data(), count, &wrote, nullptr) == FALSE) {
    return fail(last_os_error("write to", "a pipe"));
  }
  return wrote;
}

// A writer may write nothing, which wakes a reader here: that is not the end.
Result<std::size_t> read_pipe(const Handle& read_end, std::span<char> buffer) {
  const auto count = static_cast<DWORD>(std::min(buffer.size(), kMaxPipeTransfer));
  for (;;) {
    DWORD got = 0;
    if (sys().ReadFile(handle_of(read_end), buffer.data(), count, &got, nullptr) == FALSE) {
      const DWORD code = last_error();
      if (code == ERROR_BROKEN_PIPE || code == ERROR_HANDLE_EOF) return std::size_t{0};
      return fail(win_error("read from", "a pipe", code));
    }
    if (got > 0 || count == 0) return got;
    if (sys().GetFileType(handle_of(read_end)) != FILE_TYPE_PIPE) return std::size_t{0};
  }
}

std::string with_plain_line_ends(std::string printed) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const bool ends_a_line = printed[i] == '\r' && i + 1 < printed.size() && printed[i + 1] == '\n';
    if (!ends_a_line) printed[kept++] = printed[i];
  }
  printed.resize(kept);
  return printed;
}

// Windows has no FIFO in a directory. What stands there is a small file that names a pipe of the
// system, `\\.\pipe\holdfast-<128 random bits>`: who may read the file knows the name, and the
// pipe itself is for this user alone, also where somebody lists the names of all pipes.
//
// The pipe takes one visitor at a time, each of which says a few bytes and goes. A helper thread
// receives them and passes on what a visitor said, whole, through an ordinary pipe, whose reading
// end is the handle that make_fifo gives. It goes on until that end is closed, which it notices at
// the next visitor: until then a visitor is told that it was heard. The file is removed by then, in
// the order in which a session ends, so nobody finds the way. For a process that makes one after
// another, make_fifo itself visits the ones before, with an empty line, so that those whose time is
// over notice it.
//
// A visitor waits while another one is being served, at most kMostBusy.

Result<Handle> make_fifo(const Dir& dir, const SafeName& name) {
  const auto old = read_name(dir, name);
  if (!old) return fail(old.error());
  if (old->there) {
    const auto removed = dir.remove_file(name);
    if (!removed) return fail(removed.error());
  }
  const Id128 id = HF_TRY(random_id());
  const std::string pipe_name = std::string(kFifoPrefix) + to_hex(id);
  const std::wstring wide = HF_TRY(to_wide(pipe_name));
  BirthAccess access = HF_TRY(BirthAccess::for_mode(kPrivateFile));
  Handle server = own(sys().CreateNamedPipeW(
      wide.c_str(), PIPE_ACCESS_INBOUND | FILE_FLAG_FIRST_PIPE_INSTANCE,
      PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1, 0,
      static_cast<DWORD>(kMostAtOnce), 0, access.attributes()));
  if (!server.valid()) return fail(last_os_error("make", dir.path_of(name)));
  Pipe inner = HF_TRY(make_pipe());
  auto file = HF_TRY(dir.create_file(name, kPrivateFile));
  if (!file) return fail(fifo_refused(dir, name, "something else has its name"));
  const auto written = file->write_all(pipe_name);
  if (!written) {
    static_cast<void>(file->close());
    static_cast<void>(dir.remove_file(name));  // else it is half made, and nobody listens to it
    return fail(written.error());
  }
  // Only now, when nothing can fail any more, is there somebody who would wait for ever. Who has
  // read the file before this line is connected to the pipe all the same.
  visit_those_before(wide);
  std::thread(receive, std::move(server), std::move(inner.write_end)).detach();
  return std::move(inner.read_end);
}

Result<std::size_t> take_from(const Handle& fifo, std::span<char> buffer) {
  if (!HF_TRY(is_readable(fifo))) return std::size_t{0};
  return read_pipe(fifo, buffer);
}

Result<Put> put_into(const Dir& dir, const SafeName& name, std::string_view bytes) {
  const Named named = HF_TRY(read_name(dir, name));
  if (named.pipe.empty()) return Put::kNobodyReads;
  const std::wstring wide = HF_TRY(to_wide(named.pipe));
  for (int step = 0; step < kBusySteps; ++step) {
    // Anonymous: who listens learns nothing of us that it could act with.
    const Handle pipe = own(sys().CreateFileW(wide.c_str(), kWriteRights, 0, nullptr, OPEN_EXISTING,
                                              SECURITY_SQOS_PRESENT | SECURITY_ANONYMOUS, nullptr));
    if (pipe.valid()) {
      const std::size_t wrote = HF_TRY(write_some(pipe, bytes.substr(0, kMostAtOnce)));
      if (wrote == bytes.size()) return Put::kPut;
      return fail(fifo_refused(dir, name, "it did not take all of it"));
    }
    const DWORD code = last_error();
    if (code == ERROR_FILE_NOT_FOUND) return Put::kNobodyReads;
    if (code != ERROR_PIPE_BUSY) return fail(win_error("write to", dir.path_of(name), code));
    if (sys().WaitNamedPipeW(wide.c_str(), kBusyStep) == FALSE) sys().Sleep(1);
  }
  return fail({.code = ErrorCode::kBusy,
               .op = "write to",
               .subject = dir.path_of(name),
               .cause = "eagain",
               .detail = "others are being heard"});
}

}  // namespace holdfast::os
