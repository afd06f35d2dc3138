// SPDX-License-Identifier: Apache-2.0
#include "helper/simdjson_field_reader.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "helper/json_tokens.h"
#include "journal/json_text.h"

// Its exceptions are compiled out: errors are values there too.
#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>  // lint: os_only a library

namespace holdfast::helper {
namespace {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;

// Deeper data goes to the core's reader, which needs no stack for it.
constexpr int kMaxDepth = 64;
// So does longer data: simdjson takes memory of six times its length.
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

// One walk over one text. Every function says whether this file may answer: false is not "broken"
// but "ask the other one".
class Walk {
 public:
  explicit Walk(std::span<const std::string> path) : path_(path) {}

  bool run(ondemand::document& document) {
    json_type type{};
    if (document.type().get(type) != simdjson::SUCCESS) return false;
    if (type != json_type::object && type != json_type::array)
      return false;  // no data is like that
    ondemand::value value;
    if (document.get_value().get(value) != simdjson::SUCCESS) return false;
    return look_into(value, 0);
  }

  [[nodiscard]] std::optional<std::string> take() { return std::move(found_); }

 private:
  // `value` is where the first `matched` components of the path lead.
  bool look_into(ondemand::value& value, std::size_t matched) {
    if (matched == path_.size()) return take_whole(value);
    if (matched >= static_cast<std::size_t>(kMaxDepth)) return false;
    json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return false;
    if (type == json_type::object) return look_into_object(value, matched);
    if (type == json_type::array) return look_into_array(value, matched);
    return is_good_scalar(token_of(value));  // the path goes on, and nothing is below
  }

  bool look_into_object(ondemand::value& value, std::size_t matched) {
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return false;
    for (auto field : object) {
      ondemand::raw_json_string key;
      ondemand::value below;
      if (field.key().get(key) != simdjson::SUCCESS) return false;
      if (field.value().get(below) != simdjson::SUCCESS) return false;
      const std::optional<std::string_view> name = plain_key(key.raw());
      if (!name) return false;
      if (*name == path_[matched]) return look_into(below, matched + 1);
      if (!is_good(below, 1)) return false;
    }
    return true;
  }

  bool look_into_array(ondemand::value& value, std::size_t matched) {
    ondemand::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS) return false;
    std::size_t number = 0;
    for (auto element : array) {
      ondemand::value below;
      if (std::move(element).get(below) != simdjson::SUCCESS) return false;
      if (path_[matched] == std::to_string(number++)) return look_into(below, matched + 1);
      if (!is_good(below, 1)) return false;
    }
    return true;
  }

  bool take_whole(ondemand::value& value) {
    json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return false;
    if (type == json_type::object || type == json_type::array) {
      journal::JsonText copy;
      if (!visit(value, 0, &copy)) return false;
      found_ = copy.take();
      return true;
    }
    const std::string_view token = token_of(value);
    if (!is_good_scalar(token)) return false;
    found_ = type == json_type::string ? string_content(token) : std::string(token);
    return true;
  }

  // Whether a value that is not asked for is what it should be.
  static bool is_good(ondemand::value& value, int depth) { return visit(value, depth, nullptr); }

  // Goes through all of `value`, and copies it where there is a copy to make.
  static bool visit(ondemand::value& value, int depth, journal::JsonText* copy) {
    json_type type{};
    if (depth > kMaxDepth || value.type().get(type) != simdjson::SUCCESS) return false;
    if (type == json_type::object) return visit_object(value, depth, copy);
    if (type == json_type::array) return visit_array(value, depth, copy);
    const std::string_view token = token_of(value);
    if (!is_good_scalar(token)) return false;
    if (copy == nullptr) return true;
    if (type == json_type::string) {
      copy->scalar(string_content(token), true);
    } else {
      copy->scalar(token, false);
    }
    return true;
  }

  static bool visit_object(ondemand::value& value, int depth, journal::JsonText* copy) {
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return false;
    if (copy != nullptr) copy->open('{');
    for (auto field : object) {
      ondemand::raw_json_string key;
      ondemand::value below;
      if (field.key().get(key) != simdjson::SUCCESS) return false;
      if (field.value().get(below) != simdjson::SUCCESS) return false;
      const std::optional<std::string_view> name = plain_key(key.raw());
      if (!name) return false;
      if (copy != nullptr) copy->key(*name);
      if (!visit(below, depth + 1, copy)) return false;
    }
    if (copy != nullptr) copy->close('}');
    return true;
  }

  static bool visit_array(ondemand::value& value, int depth, journal::JsonText* copy) {
    ondemand::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS) return false;
    if (copy != nullptr) copy->open('[');
    for (auto element : array) {
      ondemand::value below;
      if (std::move(element).get(below) != simdjson::SUCCESS) return false;
      if (!visit(below, depth + 1, copy)) return false;
    }
    if (copy != nullptr) copy->close(']');
    return true;
  }

  // The scalar as it is written. simdjson steps over a value that nobody has read without looking
  // at what follows it; where that ends no value, this is no scalar of ours.
  static std::string_view token_of(ondemand::value& value) {
    const std::string_view up_to_next = value.raw_json_token();
    const char next = *(up_to_next.data() + up_to_next.size());
    if (next != ',' && next != '}' && next != ']') return {};
    return without_space_behind(up_to_next);
  }

  std::span<const std::string> path_;
  std::optional<std::string> found_;
};

class SimdjsonFieldReader final : public journal::FieldReader {
 public:
  Result<std::optional<std::string>> read(std::string_view data_json,
                                          std::span<const std::string> path) override {
    if (data_json.size() > kMaxBytes) return other_->read(data_json, path);
    // simdjson reads past the end, into bytes that must be there.
    if (padded_.size() < data_json.size() + simdjson::SIMDJSON_PADDING) {
      padded_.resize(2 * data_json.size() + simdjson::SIMDJSON_PADDING);
    }
    std::ranges::copy(data_json, padded_.begin());
    std::memset(padded_.data() + data_json.size(), ' ', simdjson::SIMDJSON_PADDING);

    ondemand::document document;
    Walk walk(path);
    if (parser_.iterate(padded_.data(), data_json.size(), padded_.size()).get(document) ==
            simdjson::SUCCESS &&
        walk.run(document)) {
      return walk.take();
    }
    return other_->read(data_json, path);
  }

 private:
  ondemand::parser parser_;
  std::vector<char> padded_;
  std::unique_ptr<journal::FieldReader> other_ = journal::make_json_field_reader();
};

}  // namespace

std::unique_ptr<journal::FieldReader> make_simdjson_field_reader() {
  return std::make_unique<SimdjsonFieldReader>();
}

}  // namespace holdfast::helper
