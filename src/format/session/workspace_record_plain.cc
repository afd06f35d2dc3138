// SPDX-License-Identifier: Apache-2.0
#include "format/session/workspace_record.h"

#include <charconv>

#include "base/path_text.h"
#include "format/text/name_escape.h"
#include "format/text/rfc3339.h"

namespace holdfast {
namespace {

constexpr std::uint64_t kMostMilliseconds =
    std::numeric_limits<std::int64_t>::max() / std::int64_t{1'000'000};

// Goes through the bytes; the first thing that is not as expected ends it.
class PlainReader {
 public:
  explicit PlainReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool good() const { return good_; }

  void expect(std::string_view text) { good_ = good_ && take(text); }
  // Where `text` comes next, it is taken.
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  // The opening quote was taken; so is the closing one.
  std::string_view text() {
    std::size_t at = 0;
    while (at < rest_.size() && is_plain(rest_[at])) ++at;
    const std::string_view text = rest_.substr(0, at);
    rest_.remove_prefix(at);
    expect("\"");
    return text;
  }
  Id128 id() { return need(parse_id128(text())); }
  WallTime time() { return need(parse_rfc3339(text())); }
  // At most 18 digits, so that it fits everywhere.
  std::uint64_t number() {
    constexpr std::size_t kDigits = 18;
    std::uint64_t value = 0;
    const char* const begin = rest_.data();
    const auto [end, error] = std::from_chars(begin, begin + rest_.size(), value);
    const auto size = static_cast<std::size_t>(end - begin);
    good_ = good_ && error == std::errc() && size <= kDigits && (rest_[0] != '0' || size == 1);
    if (good_) rest_.remove_prefix(size);
    return value;
  }
  void check(bool holds) { good_ = good_ && holds; }
  void end() {
    take("\n");
    check(rest_.empty());
  }

 private:
  static bool is_plain(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
  }
  template <typename T>
  T need(std::optional<T> value) {
    check(value.has_value());
    return value.value_or(T{});
  }

  std::string_view rest_;
  bool good_ = true;
};

BootMoment read_moment(PlainReader& read) {
  BootMoment moment;
  read.expect("{\"boot\":\"");
  moment.boot = read.id();
  read.expect(",\"boot_ns\":");
  moment.boot_ns = static_cast<std::int64_t>(read.number());
  if (read.take(",\"timens\":")) moment.timens = read.number();
  if (read.take(",\"machine\":\"")) moment.machine = read.id();
  read.expect("}");
  return moment;
}

// One of a process has its identity behind the machine, and is not plain.
Authority read_workspace_record_plain_authority(PlainReader& read) {
  Authority authority;
  read.expect("{\"kind\":\"");
  const std::string_view kind = read.text();
  read.expect(",\"id\":\"");
  auto name = parse_authority(std::string(kind) + ":" + std::string(read.text()));
  read.check(name.has_value());
  if (!read.good()) return authority;
  authority.kind = name->kind;
  authority.id = std::move(name->id);
  if (read.take(",\"full_id\":\"")) authority.full_id = read.text();
  if (read.take(",\"daemon\":\"")) authority.daemon = read.text();
  if (read.take(",\"endpoint\":\"")) authority.endpoint = read.text();
  read.expect(",\"uid\":");
  const std::uint64_t uid = read.number();
  read.check(uid <= std::numeric_limits<std::uint32_t>::max());
  authority.uid = static_cast<std::uint32_t>(uid);
  read.expect(",\"machine\":\"");
  authority.machine = read.id();
  read.expect("}");
  read.check(authority.kind != AuthorityKind::kProcess);
  return authority;
}

WorkspaceState read_state(PlainReader& read) {
  const std::string_view spelled = read.text();
  for (std::size_t i = 0; i < kWorkspaceStates; ++i) {
    const auto state = static_cast<WorkspaceState>(i);
    if (spelled == to_text(state)) return state;
  }
  read.check(false);
  return {};
}

void read_workspace_record_plain_head(PlainReader& read, WorkspaceRecord& record) {
  read.expect(R"({"v":1,"kind":"holdfast-harness-session","name":")");
  record.name = read.text();
  read.check(!record.name.empty() && record.name.size() <= kMaxRawName);
  read.expect(",\"id\":\"");
  record.id = read.id();
  read.expect(",\"change\":");
  record.change = read.number();
  read.check(record.change >= 1);
  read.expect(",\"state\":\"");
  record.state = read_state(read);
  read.expect(",\"created\":\"");
  record.created = read.time();
  read.expect(",\"born\":");
  record.born = read_moment(read);
}

}  // namespace

std::optional<WorkspaceRecord> read_plain_workspace_record(std::string_view bytes) {
  static_assert(WorkspaceRecord::kVersion == 1);
  PlainReader read(bytes);
  WorkspaceRecord record;
  read_workspace_record_plain_head(read, record);
  if (!read.good()) return std::nullopt;
  if (read.take(",\"directory\":\"")) {
    record.outside = true;
    record.directory = read.text();
    read.check(is_rooted_path(record.directory));
    read.expect(",\"device\":");
    record.device = read.number();
    read.expect(",\"inode\":");
    record.inode = read.number();
  }
  record.adopted = read.take(",\"adopted\":true");
  if (read.take(",\"authority\":")) record.authority = read_workspace_record_plain_authority(read);
  if (read.take(",\"resume_id\":\"")) record.resume_id = std::string(read.text());
  if (read.take(",\"resumes\":")) record.resumes = read.number();
  if (read.take(",\"ttl_ms\":")) {
    const std::uint64_t ms = read.number();
    read.check(ms <= kMostMilliseconds);
    if (read.good()) record.ttl = std::chrono::milliseconds(static_cast<std::int64_t>(ms));
  }
  read.expect(",\"renewed\":");
  record.renewed = read_moment(read);
  if (read.take(",\"ended\":{\"at\":\"")) {
    record.ended = WorkspaceEnd{.at = read.time()};
    read.expect(",\"reason\":\"");
    record.ended->reason = read.text();
    read.expect("}");
  }
  read.check((record.state == WorkspaceState::kEnded) == record.ended.has_value());
  read.expect("}");
  read.end();
  if (!read.good()) return std::nullopt;
  return record;
}

}  // namespace holdfast
