// SPDX-License-Identifier: Apache-2.0
// Whatever stands in a segment: every reader ends, agrees with the others about what is readable,
// and a writer either goes on behind it, or refuses and leaves it as it is.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/event.h"
#include "journal/read/count.h"
#include "journal/read/query.h"
#include "journal/read/verify.h"
#include "journal/write/journal.h"
#include "os/machine/real_clock.h"

using namespace holdfast;
using namespace holdfast::journal;

namespace {

constexpr const char* kSegment = "seg-0000000000000001.jsonl";

// In memory where there is some to be had; removed when the fuzzer ends well.
class Scratch {
 public:
  Scratch() {
    const bool memory = std::filesystem::is_directory("/dev/shm");
    path_ = std::string(memory ? "/dev/shm" : "/tmp") + "/hf-fuzz-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string path(const char* name) const { return path_ + "/" + name; }
  void clear() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      std::filesystem::remove_all(entry.path());
    }
  }

 private:
  std::string path_;
};

void put(const Scratch& tmp, const unsigned char* data, std::size_t size) {
  const int fd = ::open(tmp.path(kSegment).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || ::write(fd, data, size) != static_cast<ssize_t>(size)) std::abort();
  ::close(fd);
}

std::uint64_t visited(const Snapshot& snapshot, bool reverse) {
  std::uint64_t records = 0;
  const auto result = scan(snapshot, {.reverse = reverse}, [&](const ScannedRecord&) {
    ++records;
    return Result<os::Visit>(os::Visit::kContinue);
  });
  return result ? records : ~std::uint64_t{0};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const Scratch tmp;
  tmp.clear();
  put(tmp, data, size);
  const os::Dir dir = *os::Dir::open(tmp.path());
  const auto snapshot = Snapshot::open(dir);
  if (snapshot) {
    const std::uint64_t forwards = visited(*snapshot, false);
    const std::uint64_t backwards = visited(*snapshot, true);
    const auto counted = count(*snapshot, {.filter = {}, .by = {"type"}, .use_index = false});
    const auto verified = verify(*snapshot);
    // A newer version ends a scan where it is met, from either side.
    if (counted && (counted->count != forwards || forwards != backwards)) std::abort();
    if (counted && verified && verified->records != forwards) std::abort();
    QueryRequest request;
    request.filter.where = {*parse_where("data.lock=a")};
    static_cast<void>(query(*snapshot, request, [](const QueriedRecord&) {
      return Result<os::Visit>(os::Visit::kContinue);
    }));
  }
  const os::RealClock clock;
  const auto journal =
      Journal::open(*os::Dir::open(tmp.path()), {.writer = "1.1", .clock = &clock});
  if (!journal) std::abort();
  const auto receipt = (*journal)->record({.type = "x.fuzz", .data = {}});
  if (receipt) {
    const auto after = Snapshot::open(dir);
    if (!after || visited(*after, true) == 0) std::abort();
    return 0;
  }
  const ErrorCode code = receipt.error().code;
  if (code != ErrorCode::kCorrupt && code != ErrorCode::kCannotTell) std::abort();
  return 0;
}
