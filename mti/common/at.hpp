#pragma once

#include <concepts>
#include <cstddef>

namespace mti {

/// i ≥ 0 as the index of an element: rows, columns and positions are counted by `int`, as Eigen and SUNDIALS count them.
template <std::signed_integral Integer>
[[nodiscard]] constexpr std::size_t at(Integer i) noexcept {
  return static_cast<std::size_t>(i);
}

}  // namespace mti
