// SPDX-License-Identifier: Apache-2.0
//
// JSON through nlohmann's event parser, which keeps its own stack (a bit per level) and takes bytes
// from an iterator, so that nothing but the current token is in memory.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "file/replace/content_check.h"
#include "os/file/file.h"

namespace holdfast::file {
namespace {

// ByteSource: the first `size` bytes of a file, one after the other, in flat memory. A read that
// fails looks like the end; ask error() before believing in it.

class ByteSource {
 public:
  ByteSource(const os::File& file, std::uint64_t size) : file_(file), left_(size) {}

  // The next byte stays the next one until advance().
  [[nodiscard]] bool at_end() { return at_ == filled_ && !fill(); }
  [[nodiscard]] char peek() const { return buffer_[at_]; }  // not at the end
  void advance() { ++at_; }

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  bool fill() {
    const auto wanted = std::min<std::uint64_t>(left_, buffer_.size());
    if (wanted == 0) return false;
    auto got = file_.read_into(offset_, std::span(buffer_).first(wanted));
    at_ = 0;
    filled_ = got ? *got : 0;
    left_ = filled_ < wanted ? 0 : left_ - filled_;
    offset_ += filled_;
    if (!got) error_ = std::move(got).error();
    return filled_ != 0;
  }

  const os::File& file_;
  std::uint64_t left_;
  std::uint64_t offset_ = 0;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  std::optional<Error> error_;
  std::array<char, 65536> buffer_;
};

constexpr std::size_t kMaxDepth = 10'000;
constexpr std::size_t kMaxReason = 200;

enum class Stop : std::uint8_t { kAtEnd, kAtNewline };

class Bytes {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  Bytes() = default;  // the end
  Bytes(ByteSource& source, Stop stop) : source_(&source), stop_(stop) {}

  char operator*() const { return source_->peek(); }
  Bytes& operator++() {
    source_->advance();
    return *this;
  }
  bool operator==(const Bytes& end) const {
    if (source_ == nullptr || end.source_ != nullptr) return source_ == end.source_;
    return source_->at_end() || (stop_ == Stop::kAtNewline && source_->peek() == '\n');
  }

 private:
  ByteSource* source_ = nullptr;
  Stop stop_ = Stop::kAtEnd;
};

// Takes every event, keeps the first complaint.
class Judge {
 public:
  explicit Judge(Stop stop) : stop_(stop) {}

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(std::int64_t) { return true; }
  bool number_unsigned(std::uint64_t) { return true; }
  bool number_float(double, const std::string&) { return true; }
  bool string(std::string&) { return true; }
  bool binary(nlohmann::json::binary_t&) { return true; }
  bool key(std::string&) { return true; }
  bool start_object(std::size_t) { return deeper(); }
  bool start_array(std::size_t) { return deeper(); }
  bool end_object() { return shallower(); }
  bool end_array() { return shallower(); }

  // `[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while … - …;
  // last read: '…'`: the front is ours to leave out, and the end may be as long as a token.
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& thrown) {
    std::string_view what = thrown.what();
    what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
    constexpr std::string_view kFront = "parse error at ";
    if (what.starts_with(kFront)) what.remove_prefix(kFront.size());
    constexpr std::string_view kFirstLine = "line 1, ";  // of lines, the caller knows the number
    if (stop_ == Stop::kAtNewline && what.starts_with(kFirstLine)) {
      what.remove_prefix(kFirstLine.size());
    }
    what = what.substr(0, what.find("; last read"));
    complaint_ = what.substr(0, kMaxReason);
    return false;
  }

  [[nodiscard]] const std::string& complaint() const { return complaint_; }

 private:
  bool deeper() {
    if (++depth_ <= kMaxDepth) return true;
    complaint_ = "values nest more than " + std::to_string(kMaxDepth) + " deep";
    return false;
  }
  bool shallower() {
    --depth_;
    return true;
  }

  Stop stop_;
  std::size_t depth_ = 0;
  std::string complaint_;
};

// Empty where the bytes up to `stop` are one value.
std::string complaint_about(ByteSource& source, Stop stop) {
  // nlohmann drops a byte order mark; most readers of JSON do not.
  if (!source.at_end() && source.peek() == '\xef') return "it begins with a byte order mark";
  Judge judge(stop);
  const bool good = nlohmann::json::sax_parse(Bytes(source, stop), Bytes(), &judge);
  if (good) return "";
  return judge.complaint().empty() ? "it is malformed" : judge.complaint();
}

Error json_check_refused(const os::File& file, std::string_view cause, std::string detail) {
  return {.code = ErrorCode::kCorrupt,
          .op = "accept",
          .subject = file.path(),
          .cause = std::string(cause),
          .detail = std::move(detail)};
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

Result<> check_json(const os::File& file, std::uint64_t size) {
  ByteSource source(file, size);
  const std::string complaint = complaint_about(source, Stop::kAtEnd);
  if (source.error()) return fail(*source.error());
  if (complaint.empty()) return {};
  return fail(json_check_refused(file, "check-json", "it is not one JSON value: " + complaint));
}

Result<> check_jsonl(const os::File& file, std::uint64_t size) {
  ByteSource source(file, size);
  std::uint64_t values = 0;
  for (std::uint64_t line = 1; !source.at_end(); ++line) {
    while (!source.at_end() && is_blank(source.peek())) source.advance();
    if (!source.at_end() && source.peek() != '\n') {
      const std::string complaint = complaint_about(source, Stop::kAtNewline);
      if (source.error()) return fail(*source.error());
      if (!complaint.empty()) {
        return fail(json_check_refused(
            file, "check-jsonl",
            "line " + std::to_string(line) + " is not a JSON value: " + complaint));
      }
      ++values;
    }
    if (!source.at_end()) source.advance();  // the newline
  }
  if (source.error()) return fail(*source.error());
  if (values == 0) return fail(json_check_refused(file, "check-jsonl", "it holds no JSON value"));
  return {};
}

}  // namespace holdfast::file
