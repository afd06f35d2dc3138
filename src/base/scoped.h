// SPDX-License-Identifier: Apache-2.0
//
// Scoped<Traits>: the one owner of a resource that must be given back exactly once.
//
// Guarantee: move-only; closes in the destructor unless released; a moved-from or default Scoped
// owns nothing and says so (`valid()` is false). Traits give the value type, the value that means
// "nothing", and `close`. The destructor cannot report: where a failing close matters (a written
// file), the owner calls its own checked close first.
#pragma once

#include <utility>

namespace holdfast {

template <typename Traits>
class Scoped {
 public:
  using Value = typename Traits::Value;

  Scoped() = default;
  explicit Scoped(Value value) : value_(value) {}
  Scoped(Scoped&& other) noexcept : value_(other.release()) {}
  Scoped& operator=(Scoped&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;
  ~Scoped() { reset(); }

  [[nodiscard]] Value get() const { return value_; }
  [[nodiscard]] bool valid() const { return value_ != Traits::nothing(); }
  // Gives the resource up without closing it.
  [[nodiscard]] Value release() { return std::exchange(value_, Traits::nothing()); }
  void reset(Value value = Traits::nothing()) {
    const Value old = std::exchange(value_, value);
    if (old != Traits::nothing()) Traits::close(old);
  }

 private:
  Value value_ = Traits::nothing();
};

}  // namespace holdfast
