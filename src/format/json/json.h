// SPDX-License-Identifier: Apache-2.0
//
// Json: one JSON value, for records and for answers. Keys keep their order.
//
//   Json answer{{"name", name}, {"pid", pid}, {"ended", ended}};   // pairs make an object;
//   answer["log"] = path;                                          // an empty optional is null
//   Json list = Json::array();
//   list.push_back(std::move(answer));
//
// Guarantee: `dump` prints valid JSON in UTF-8 whatever the strings hold; bytes that are not UTF-8
// become U+FFFD. `parse_json` reads the whole text or nothing.
//
// Limit: of a key that occurs twice the last value counts, unless the caller refuses that. Lookup
// by key is linear: objects are records, not tables.
//
// This header is light on purpose: the library that does the work (nlohmann) costs a second for
// every file that includes it, so json.cc does.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace holdfast {

class Json {
 public:
  struct Item;

  Json() {}  // null
  // NOLINTBEGIN(google-explicit-constructor,hicpp-explicit-conversions): values stand as they are
  Json(std::nullptr_t) {}
  Json(bool value) : kind_(Kind::kFlag), flag_(value) {}
  template <std::signed_integral T>
  Json(T value) : kind_(Kind::kInteger), integer_(value) {}
  template <std::unsigned_integral T>
  Json(T value) : kind_(Kind::kCount), count_(value) {}
  Json(double value) : kind_(Kind::kReal), real_(value) {}
  Json(std::string value) : kind_(Kind::kText), text_(std::move(value)) {}
  Json(std::string_view value) : Json(std::string(value)) {}
  Json(const char* value) : Json(std::string(value)) {}
  Json(const void*) = delete;  // a pointer is not a flag
  template <typename T>
    requires std::constructible_from<Json, const T&>
  Json(const std::vector<T>& values) : kind_(Kind::kArray) {
    elements_.assign(values.begin(), values.end());
  }
  template <typename T>
  Json(const std::optional<T>& value) {
    if (value) *this = Json(*value);
  }
  // Pairs that begin with a text are an object, anything else is an array.
  Json(std::initializer_list<Item> items);
  // NOLINTEND(google-explicit-constructor,hicpp-explicit-conversions)

  static Json array() { return Json(Kind::kArray); }
  static Json array(std::initializer_list<Item> items);
  static Json object() { return Json(Kind::kObject); }

  [[nodiscard]] bool is_invalid() const { return kind_ == Kind::kInvalid; }  // was not JSON
  [[nodiscard]] bool is_null() const { return kind_ == Kind::kNull; }
  [[nodiscard]] bool is_boolean() const { return kind_ == Kind::kFlag; }
  [[nodiscard]] bool is_number() const;
  [[nodiscard]] bool is_string() const { return kind_ == Kind::kText; }
  [[nodiscard]] bool is_array() const { return kind_ == Kind::kArray; }
  [[nodiscard]] bool is_object() const { return kind_ == Kind::kObject; }

  // The value, if it is one of that kind.
  [[nodiscard]] std::optional<bool> flag() const;
  [[nodiscard]] std::optional<std::uint64_t> count() const;   // a whole number from 0
  [[nodiscard]] std::optional<std::int64_t> integer() const;  // a whole number that fits
  [[nodiscard]] std::optional<double> real() const;           // any number
  [[nodiscard]] const std::string* text() const { return is_string() ? &text_ : nullptr; }

  // Elements of an array, values of an object.
  [[nodiscard]] std::size_t size() const { return elements_.size(); }
  [[nodiscard]] bool empty() const { return elements_.empty(); }
  [[nodiscard]] auto begin() const { return elements_.begin(); }
  [[nodiscard]] auto end() const { return elements_.end(); }
  [[nodiscard]] const Json& front() const { return elements_.front(); }
  [[nodiscard]] const Json& back() const { return elements_.back(); }
  [[nodiscard]] Json& back() { return elements_.back(); }
  void push_back(Json value);  // null becomes an array

  // Fields of an object.
  struct Field {
    const std::string& key;
    const Json& value;
  };
  [[nodiscard]] std::vector<Field> items() const;
  [[nodiscard]] const Json* find(std::string_view key) const;  // null: there is none
  [[nodiscard]] bool contains(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] const Json& operator[](std::string_view key) const;  // null if absent
  Json& operator[](std::string_view key);  // makes it; null becomes an object
  void update(Json fields);                // those of another object, over one's own

  [[nodiscard]] std::string dump() const;  // on one line, without a newline

  bool operator==(const Json& other) const;

 private:
  friend class JsonBuilder;
  enum class Kind : std::uint8_t {
    kNull,
    kFlag,
    kInteger,
    kCount,
    kReal,
    kText,
    kArray,
    kObject,
    kInvalid
  };
  explicit Json(Kind kind) : kind_(kind) {}
  void append_to(std::string& out) const;

  Kind kind_ = Kind::kNull;
  union {
    bool flag_;
    std::int64_t integer_;
    std::uint64_t count_ = 0;
    double real_;
  };
  std::string text_;
  std::vector<Json> elements_;
  std::vector<std::string> keys_;  // of an object: one for each element
};

// A value between braces; it is moved out of there, so long lists are not copied.
struct Json::Item {
  template <typename T>
    requires std::constructible_from<Json, T&&>
  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions)
  Item(T&& one) : value(std::forward<T>(one)) {}
  Item(std::initializer_list<Item> items) : value(items) {}

  mutable Json value;
};

enum class RepeatedKeys : std::uint8_t { kLastCounts, kRefuse };

// Values are printed and destroyed recursively, so a text that is nested deeper is refused.
inline constexpr std::size_t kMaxJsonDepth = 1000;

// Invalid if the text is not exactly one JSON value. A NUL byte is not JSON either.
Json parse_json(std::string_view text, RepeatedKeys repeated = RepeatedKeys::kLastCounts);

// A field by key and kind; none if it is absent or of another kind.
const std::string* json_text(const Json& object, std::string_view key);
std::optional<bool> json_flag(const Json& object, std::string_view key);
std::optional<std::uint64_t> json_count(const Json& object, std::string_view key);

// Any bytes in JSON, reversibly: valid UTF-8 is a string, anything else is {"hex":"ff00"}. A
// program's arguments, its environment and its directory need not be text.
Json bytes_to_json(std::string_view bytes);
// The same, spelled, behind `json`; quick where nothing is to be escaped.
void append_json_bytes(std::string& json, std::string_view bytes);
// nullopt where it is neither; also for {"hex":…} of what is valid UTF-8, so that there is one
// spelling.
std::optional<std::string> bytes_from_json(const Json& value);

}  // namespace holdfast
