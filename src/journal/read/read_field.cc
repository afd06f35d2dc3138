// SPDX-License-Identifier: Apache-2.0
#include "journal/read/read_field.h"

#include <charconv>

#include "journal/write/json_events.h"
#include "journal/write/json_text.h"

namespace holdfast::journal {
namespace {

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
                 .cause = "bad-data",
                 .detail = "it is not JSON"});
  }
  return digger.take();
}

}  // namespace holdfast::journal
