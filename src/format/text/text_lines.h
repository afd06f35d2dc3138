// SPDX-License-Identifier: Apache-2.0
//
// The lines of a text, by offsets into it: nothing is copied.
//
// A line ends at LF; a CR before it belongs to the line end, a CR elsewhere is a byte like any
// other. The last line may have no end. A UTF-8 byte order mark is no part of the first line.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
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

// Line ends of a text: counted, and made one kind.
inline constexpr std::string_view kLf = "\n";
inline constexpr std::string_view kCrLf = "\r\n";

struct LineEnds {
  std::size_t lf = 0;
  std::size_t crlf = 0;

  LineEnds& operator+=(const LineEnds& other) {
    lf += other.lf;
    crlf += other.crlf;
    return *this;
  }
  [[nodiscard]] bool any() const { return lf + crlf > 0; }
  // What most lines have; LF where both are equal.
  [[nodiscard]] std::string_view most() const { return crlf > lf ? kCrLf : kLf; }
};

inline LineEnds count_line_ends(std::string_view text) {
  LineEnds count;
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
    ++(at > 0 && text[at - 1] == '\r' ? count.crlf : count.lf);
  }
  return count;
}

// The text with every line end as `line_end`, and one behind its last line. All CRs at the end of a
// line belong to its line end, so that doing it twice is the same as doing it once.
inline std::string with_line_ends(std::string_view text, std::string_view line_end) {
  std::string out;
  out.reserve(text.size() + line_end.size());
  while (!text.empty()) {
    const std::size_t at = text.find('\n');
    std::string_view line = text.substr(0, at);
    while (line.ends_with('\r')) line.remove_suffix(1);
    out.append(line).append(line_end);
    text.remove_prefix(at == text.npos ? text.size() : at + 1);
  }
  return out;
}

}  // namespace holdfast
