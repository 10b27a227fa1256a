#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "mti/source/source.hpp"

namespace mti {

// What sources need that are written out in others (mti/clocks, mti/delays).

/// The names of parameters and signals.
[[nodiscard]] std::unordered_set<std::string> declared_names(const Source& source);

/// Which of the `count` elements from `first` on a pointer into a list is of: "/inputs/7/delay/time" in "/inputs" from 6 on
/// of the element 1. Nothing if of none.
struct ElementOf {
  std::size_t index = 0;
  std::size_t end = 0;  ///< of its number in the pointer
};
[[nodiscard]] std::optional<ElementOf> element_of(std::string_view pointer, std::string_view list,
                                                  std::size_t first, std::size_t count);

}  // namespace mti
