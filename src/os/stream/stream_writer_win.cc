// SPDX-License-Identifier: Apache-2.0
//
// A pipe, a console: Windows has no write to them that would come back rather than wait. So a
// thread makes the write, one piece at a time, and the event handle() is set while it is idle.
//
// The bytes must not count as taken before they are written: this process may end right after the
// last of them was "taken". So a piece is handed over, the answer is 0, and when it is written the
// next call, which comes with the same bytes in front, is told how many they were. A reader that
// keeps up does not see any of this: the thread is given a moment to be done.
//
// Whoever drops a StreamWriter while its thread waits leaves the thread to itself; it owns all that
// it touches and ends with the process.
#include "os/stream/stream_writer.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "os/path/wide_win.h"
#include "os/spawn/inherited.h"
#include "os/sys/native_win.h"

namespace holdfast::os {
namespace {

constexpr const char* kStreamWriterOp = "write to";
constexpr const char* kSubject = "the caller's terminal or pipe";
constexpr std::size_t kPiece = 65536;
constexpr DWORD kMoment = 20;  // ms

struct Writer {
  Handle stream;
  Handle idle;  // manual reset; a copy is the handle of the StreamWriter
  bool console = false;

  std::mutex mutex;
  std::condition_variable work;
  std::string piece;        // being written
  bool busy = false;        // with `piece`
  std::size_t written = 0;  // of the last piece, and not yet told
  DWORD failure = 0;
  bool over = false;
};

// A console takes UTF-16. A piece may end within a character: what is cut is left for the next.
std::size_t whole_characters(std::string_view bytes) {
  std::size_t length = bytes.size();
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, length); ++back) {
    const auto byte = static_cast<unsigned char>(bytes[length - back]);
    if ((byte & 0xC0U) == 0x80U) continue;
    const std::size_t needs = byte >= 0xF0U ? 4 : byte >= 0xE0U ? 3 : byte >= 0xC0U ? 2 : 1;
    if (needs > back) length -= back;
    break;
  }
  return length == 0 ? bytes.size() : length;
}

struct Wrote {
  std::size_t count = 0;
  DWORD failure = 0;
};

Wrote write_now(const Writer& writer, std::string_view bytes) {
  if (writer.console) {
    constexpr std::size_t kConsolePiece = 4096;
    const std::string_view some = bytes.substr(0, kConsolePiece);
    const std::string_view text = some.substr(0, whole_characters(some));
    if (const auto wide = to_wide(text)) {
      DWORD units = 0;
      if (sys().WriteConsoleW(handle_of(writer.stream), wide->data(),
                              static_cast<DWORD>(wide->size()), &units, nullptr) == FALSE) {
        return {.failure = last_error()};
      }
      return {.count = text.size()};
    }
  }
  DWORD wrote = 0;
  if (sys().WriteFile(handle_of(writer.stream), bytes.data(), static_cast<DWORD>(bytes.size()),
                      &wrote, nullptr) == FALSE) {
    return {.failure = last_error()};
  }
  return {.count = wrote};
}

void write_pieces(const std::shared_ptr<Writer>& writer) {
  std::unique_lock lock(writer->mutex);
  for (;;) {
    writer->work.wait(lock, [&] { return writer->busy || writer->over; });
    if (writer->over) return;
    const std::string piece = writer->piece;
    lock.unlock();
    const Wrote wrote = write_now(*writer, piece);
    lock.lock();
    writer->written = wrote.count;
    writer->failure = wrote.failure;
    writer->busy = false;
    sys().SetEvent(handle_of(writer->idle));
    if (wrote.failure != 0) return;
  }
}

// Tells the thread to end when the last StreamWriter is gone; it has its own share of the Writer.
struct Owner {
  explicit Owner(std::shared_ptr<Writer> of) : writer(std::move(of)) {}
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() {
    const std::scoped_lock lock(writer->mutex);
    writer->over = true;
    writer->work.notify_all();
  }
  std::shared_ptr<Writer> writer;
};

}  // namespace

Result<StreamWriter> StreamWriter::open(Stream stream) {
  const HANDLE native = sys().GetStdHandle(stream == Stream::kErr ? kStdError : kStdOutput);
  if (native == nullptr || reinterpret_cast<std::intptr_t>(native) == kInvalidHandle) {
    return fail(win_error(kStreamWriterOp, kSubject, ERROR_INVALID_HANDLE));
  }
  Handle copy = HF_TRY(copy_handle(reinterpret_cast<NativeHandle>(native)));
  if (sys().GetFileType(native) == FILE_TYPE_DISK)
    return StreamWriter(std::move(copy), Way::kWrite);
  auto writer = std::make_shared<Writer>();
  DWORD mode = 0;
  writer->console = sys().GetConsoleMode(native, &mode) != FALSE;
  writer->stream = std::move(copy);
  const HANDLE idle = sys().CreateEventW(nullptr, TRUE, TRUE, nullptr);
  if (idle == nullptr) return fail(last_os_error(kStreamWriterOp, kSubject));
  writer->idle = own(idle);
  StreamWriter result(HF_TRY(copy_handle(writer->idle.get())), Way::kSend);
  result.state_ = std::make_shared<Owner>(writer);
  std::thread(write_pieces, writer).detach();
  return result;
}

Result<std::size_t> StreamWriter::write_some(std::string_view bytes) {
  if (bytes.empty()) return std::size_t{0};
  if (way_ == Way::kWrite) {
    DWORD wrote = 0;
    if (sys().WriteFile(handle_of(handle_), bytes.data(),
                        static_cast<DWORD>(std::min(bytes.size(), kPiece)), &wrote,
                        nullptr) == FALSE) {
      return fail(last_os_error(kStreamWriterOp, kSubject));
    }
    return wrote;
  }
  Writer& writer = *std::static_pointer_cast<Owner>(state_)->writer;
  const auto told = [&]() -> Result<std::size_t> {
    if (writer.failure != 0) return fail(win_error(kStreamWriterOp, kSubject, writer.failure));
    return std::exchange(writer.written, 0);
  };
  {
    const std::scoped_lock lock(writer.mutex);
    if (writer.busy) return std::size_t{0};
    if (writer.written > 0 || writer.failure != 0) return told();
    writer.piece = bytes.substr(0, kPiece);
    writer.busy = true;
    sys().ResetEvent(handle_of(writer.idle));
    writer.work.notify_all();
  }
  sys().WaitForSingleObject(handle_of(writer.idle), kMoment);
  const std::scoped_lock lock(writer.mutex);
  if (writer.busy) return std::size_t{0};
  return told();
}

}  // namespace holdfast::os
