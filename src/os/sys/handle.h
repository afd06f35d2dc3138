// SPDX-License-Identifier: Apache-2.0
//
// Owners of what must be given back: Scoped for anything, Handle for open kernel objects.
#pragma once

#include <cstdint>
#include <utility>

namespace holdfast {

// Scoped<Traits>: the one owner of a resource that must be given back exactly once.
//
// Guarantee: move-only; closes in the destructor unless released; a moved-from or default Scoped
// owns nothing and says so (`valid()` is false). Traits give the value type, the value that means
// "nothing", and `close`. The destructor cannot report: where a failing close matters (a written
// file), the owner calls its own checked close first.
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

namespace holdfast::os {

// Handle: the owner of one open kernel object (a descriptor; a HANDLE on Windows).
//
// Every handle is close-on-exec (not inheritable) from birth; a child gets one only where code
// passes it on purpose. -1 is "nothing" on both platforms. A destructor cannot report a failing
// close: whoever wrote through a handle and cares calls File::close().
using NativeHandle = std::intptr_t;

struct HandleTraits {
  using Value = NativeHandle;
  static NativeHandle nothing() { return -1; }
  static void close(NativeHandle handle);
};

using Handle = Scoped<HandleTraits>;

}  // namespace holdfast::os
