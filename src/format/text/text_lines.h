// SPDX-License-Identifier: Apache-2.0
//
// The lines of a text, by offsets into it: nothing is copied.
//
// A line ends at LF; a CR before it belongs to the line end, a CR elsewhere is a byte like any
// other. The last line may have no end. A UTF-8 byte order mark is no part of the first line.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace holdfast {

inline constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

// Where the first line begins.
inline std::size_t first_line_of(std::string_view text) {
  return text.starts_with(kUtf8Mark) ? kUtf8Mark.size() : 0;
}

// Does it begin with a byte order mark, of whatever encoding?
inline bool begins_with_mark(std::string_view text) {
  return text.starts_with(kUtf8Mark) || text.starts_with("\xFF\xFE") ||
         text.starts_with("\xFE\xFF");
}

struct TextLine {
  std::size_t number = 0;  // from 1 on
  std::size_t begin = 0;
  std::size_t end = 0;   // before its line end
  std::size_t next = 0;  // behind its line end

  [[nodiscard]] bool ended() const { return next > end; }
  [[nodiscard]] std::string_view of(std::string_view text) const {
    return text.substr(begin, end - begin);
  }
};

class LineCursor {
 public:
  explicit LineCursor(std::string_view text) : text_(text), at_(first_line_of(text)) {}

  // False: there is no further line.
  bool next(TextLine& line) {
    if (at_ == text_.size()) return false;
    line.number = ++number_;
    line.begin = at_;
    const void* const found = std::memchr(text_.data() + at_, '\n', text_.size() - at_);
    if (found == nullptr) {
      line.end = line.next = at_ = text_.size();
      return true;
    }
    const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
    line.end = end > at_ && text_[end - 1] == '\r' ? end - 1 : end;
    line.next = at_ = end + 1;
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_;
  std::size_t number_ = 0;
};

}  // namespace holdfast
