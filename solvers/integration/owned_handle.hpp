#pragma once

#include <memory>
#include <new>
#include <type_traits>

namespace mti {

/// What a C library makes is null where memory ends.
template <class Pointer>
Pointer require(Pointer pointer) {
  if (pointer == nullptr) throw std::bad_alloc();
  return pointer;
}

/// Owns a C handle together with the function that frees it.
template <class T, auto Free>
struct Freed {
  void operator()(T handle) const { Free(handle); }
};
template <class T, auto Free>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Freed<T, Free>>;

}  // namespace mti
