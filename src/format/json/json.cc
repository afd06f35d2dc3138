// SPDX-License-Identifier: Apache-2.0
#include "format/json/json.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace holdfast {
namespace {

void append_spelled(std::string& out, const nlohmann::json& scalar) {
  out += scalar.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void append_text(std::string& out, const std::string& text) {
  const auto needs_no_escape = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\';
  };
  if (!std::ranges::all_of(text, needs_no_escape)) return append_spelled(out, text);
  out += '"';
  out += text;
  out += '"';
}

}  // namespace

// Takes the events of the library's parser.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonBuilder(RepeatedKeys repeated) : repeated_(repeated) {}

  bool null() override { return put({}) != nullptr; }
  bool boolean(bool value) override { return put(value) != nullptr; }
  bool number_integer(number_integer_t value) override { return put(value) != nullptr; }
  bool number_unsigned(number_unsigned_t value) override { return put(value) != nullptr; }
  bool number_float(number_float_t value, const string_t& /*digits*/) override {
    return put(value) != nullptr;
  }
  bool string(string_t& text) override { return put(std::move(text)) != nullptr; }
  bool binary(binary_t& /*bytes*/) override { return false; }  // is not in JSON
  bool start_object(std::size_t /*elements*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*elements*/) override { return open(Json::array()); }
  bool key(string_t& name) override {
    if (repeated_ == RepeatedKeys::kRefuse && open_.back()->contains(name)) return false;
    key_ = std::move(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

  Json take(bool whole) { return whole ? std::move(root_) : Json(Json::Kind::kInvalid); }

 private:
  // Only the innermost open value grows, so the addresses of those around it stay.
  Json* put(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& outer = *open_.back();
    if (outer.is_object()) return &((outer[key_] = std::move(value)));
    outer.push_back(std::move(value));
    return &outer.elements_.back();
  }
  bool open(Json value) {
    if (open_.size() == kMaxJsonDepth) return false;
    open_.push_back(put(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  RepeatedKeys repeated_;
  Json root_;
  std::vector<Json*> open_;
  std::string key_;
};

Json::Json(std::initializer_list<Item> items) {
  const bool pairs = std::ranges::all_of(items, [](const Item& item) {
    const Json& value = item.value;
    return value.is_array() && value.size() == 2 && value.front().is_string();
  });
  if (!pairs) {
    *this = array(items);
    return;
  }
  kind_ = Kind::kObject;
  for (const Item& item : items) {
    (*this)[item.value.elements_[0].text_] = std::move(item.value.elements_[1]);
  }
}

Json Json::array(std::initializer_list<Item> items) {
  Json list = array();
  list.elements_.reserve(items.size());
  for (const Item& item : items) list.elements_.push_back(std::move(item.value));
  return list;
}

bool Json::is_number() const {
  return kind_ == Kind::kInteger || kind_ == Kind::kCount || kind_ == Kind::kReal;
}

std::optional<bool> Json::flag() const {
  return kind_ == Kind::kFlag ? std::optional(flag_) : std::nullopt;
}

std::optional<std::uint64_t> Json::count() const {
  if (kind_ == Kind::kCount) return count_;
  if (kind_ == Kind::kInteger && integer_ >= 0) return static_cast<std::uint64_t>(integer_);
  return std::nullopt;
}

std::optional<std::int64_t> Json::integer() const {
  if (kind_ == Kind::kInteger) return integer_;
  if (kind_ == Kind::kCount && std::in_range<std::int64_t>(count_)) {
    return static_cast<std::int64_t>(count_);
  }
  return std::nullopt;
}

std::optional<double> Json::real() const {
  if (kind_ == Kind::kReal) return real_;
  if (kind_ == Kind::kInteger) return static_cast<double>(integer_);
  if (kind_ == Kind::kCount) return static_cast<double>(count_);
  return std::nullopt;
}

std::vector<Json::Field> Json::items() const {
  std::vector<Field> fields;
  fields.reserve(keys_.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) fields.push_back({keys_[i], elements_[i]});
  return fields;
}

void Json::push_back(Json value) {
  if (is_null()) kind_ = Kind::kArray;
  elements_.push_back(std::move(value));
}

const Json* Json::find(std::string_view key) const {
  const auto found = std::ranges::find(keys_, key);
  return found != keys_.end() ? &elements_[static_cast<std::size_t>(found - keys_.begin())]
                              : nullptr;
}

const Json& Json::operator[](std::string_view key) const {
  static const Json kAbsent;
  const Json* field = find(key);
  return field != nullptr ? *field : kAbsent;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) kind_ = Kind::kObject;
  const auto found = std::ranges::find(keys_, key);
  if (found != keys_.end()) return elements_[static_cast<std::size_t>(found - keys_.begin())];
  keys_.emplace_back(key);
  return elements_.emplace_back();
}

void Json::update(Json fields) {
  for (std::size_t i = 0; i < fields.keys_.size(); ++i) {
    (*this)[fields.keys_[i]] = std::move(fields.elements_[i]);
  }
}

std::string Json::dump() const {
  std::string out;
  append_to(out);
  return out;
}

void Json::append_to(std::string& out) const {
  switch (kind_) {
    case Kind::kNull:
    case Kind::kInvalid:
      out += "null";
      return;
    case Kind::kFlag:
      out += flag_ ? "true" : "false";
      return;
    case Kind::kInteger:
      out += std::to_string(integer_);
      return;
    case Kind::kCount:
      out += std::to_string(count_);
      return;
    case Kind::kReal:
      return append_spelled(out, real_);
    case Kind::kText:
      return append_text(out, text_);
    case Kind::kArray:
    case Kind::kObject:
      break;
  }
  out += is_object() ? '{' : '[';
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (i > 0) out += ',';
    if (is_object()) {
      append_text(out, keys_[i]);
      out += ':';
    }
    elements_[i].append_to(out);
  }
  out += is_object() ? '}' : ']';
}

bool Json::operator==(const Json& other) const {
  if (is_number() && other.is_number()) {
    const auto ours = integer();
    const auto theirs = other.integer();
    return ours && theirs ? ours == theirs : count() == other.count() && real() == other.real();
  }
  return kind_ == other.kind_ && (kind_ != Kind::kFlag || flag_ == other.flag_) &&
         text_ == other.text_ && keys_ == other.keys_ && elements_ == other.elements_;
}

Json parse_json(std::string_view text, RepeatedKeys repeated) {
  JsonBuilder builder(repeated);
  const bool whole = text.find('\0') == std::string_view::npos &&
                     nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take(whole);
}

const std::string* json_text(const Json& object, std::string_view key) {
  const Json* field = object.find(key);
  return field != nullptr ? field->text() : nullptr;
}

std::optional<bool> json_flag(const Json& object, std::string_view key) {
  const Json* field = object.find(key);
  return field != nullptr ? field->flag() : std::nullopt;
}

std::optional<std::uint64_t> json_count(const Json& object, std::string_view key) {
  const Json* field = object.find(key);
  return field != nullptr ? field->count() : std::nullopt;
}

}  // namespace holdfast
