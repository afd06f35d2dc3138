// SPDX-License-Identifier: Apache-2.0
#include "journal/read/filter.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cause.h"
#include "base/event.h"
#include "journal/write/json_events.h"

namespace holdfast::journal {
namespace {

// Rebuilds the compact text of a JSON value from the events of a parser. Numbers keep their literal
// as far as the parser tells (it keeps that of fractions and exponents; whole numbers have one
// spelling, "-0" apart).
class JsonText {
 public:
  void scalar(std::string_view text, bool is_string) {
    comma();
    if (is_string) {
      append_json_string(text, text_);
    } else {
      text_ += text;
    }
  }
  void key(std::string_view name) {
    comma();
    append_json_string(name, text_);
    text_ += ':';
    fresh_ = true;
  }
  void open(char bracket) {
    comma();
    text_ += bracket;
    fresh_ = true;
    ++depth_;
  }
  void close(char bracket) {
    text_ += bracket;
    fresh_ = false;
    --depth_;
  }

  [[nodiscard]] bool whole() const { return depth_ == 0; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void comma() {
    if (!fresh_) text_ += ',';
    fresh_ = false;
  }

  std::string text_;
  std::size_t depth_ = 0;
  bool fresh_ = true;  // nothing stands before in this object or array
};

// Walks down the path: `matched_` components of it lead to the value at hand, and `depth_` objects
// and arrays are open around it. What is off the path is passed over until its bracket closes.
class Digger {
 public:
  explicit Digger(std::span<const std::string> path) : path_(path) {}

  bool scalar(std::string_view text, bool is_string) {
    if (copying_) {
      copy_.scalar(text, is_string);
      return true;
    }
    if (!enter()) return true;
    if (matched_ == path_.size()) found_ = std::string(text);
    return false;  // found, or the path goes on where nothing is below
  }
  bool key(std::string_view name) {
    if (copying_) copy_.key(name);
    if (!copying_ && depth_ == matched_ + 1) key_fits_ = name == path_[matched_];
    return true;
  }
  bool open(char bracket) {
    if (copying_) {
      copy_.open(bracket);
      return true;
    }
    const bool ours = enter();
    if (ours && matched_ == path_.size()) {
      copying_ = true;
      copy_.open(bracket);
      return true;
    }
    ++depth_;
    if (ours) {
      in_array_ = bracket == '[';
      element_ = 0;
      key_fits_ = false;
    }
    return true;
  }
  bool close(char bracket) {
    if (copying_) {
      copy_.close(bracket);
      if (!copy_.whole()) return true;
      found_ = copy_.take();
      return false;
    }
    // The last object on the path closes: what was looked for is not in it.
    return --depth_ > matched_;
  }

  [[nodiscard]] std::optional<std::string> take() { return std::move(found_); }

 private:
  // Whether the value that begins now is on the path.
  bool enter() {
    if (depth_ == 0) return true;  // the whole data
    if (depth_ != matched_ + 1) return false;
    const bool fits = in_array_ ? is_element(element_++) : key_fits_;
    if (fits) ++matched_;
    return fits;
  }
  [[nodiscard]] bool is_element(std::size_t number) const {
    return path_[matched_] == std::to_string(number);
  }

  std::span<const std::string> path_;
  std::size_t matched_ = 0;
  std::size_t depth_ = 0;
  std::size_t element_ = 0;
  bool in_array_ = false;
  bool key_fits_ = false;
  bool copying_ = false;
  JsonText copy_;
  std::optional<std::string> found_;
};

}  // namespace

Result<std::optional<std::string>> read_field(std::string_view data_json,
                                              std::span<const std::string> path) {
  Digger digger(path);
  if (!JsonEvents(digger).read(data_json)) {
    return fail({.code = ErrorCode::kCorrupt,
                 .op = "read the data of a record",
                 .cause = cause::kBadData,
                 .detail = "it is not JSON"});
  }
  return digger.take();
}

}  // namespace holdfast::journal
