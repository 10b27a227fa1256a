#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "mti/common/fault.hpp"
#include "mti/source/source.hpp"

namespace mti {

/// What the relations of a source say of sampled states.
struct NextValues {
  std::set<std::size_t> states = {};                              ///< with a next(u) somewhere
  std::unordered_map<std::size_t, std::string> derivatives = {};  ///< with a der(x): where it stands first
};

/// The signal that stands for next(u): "u.next".
[[nodiscard]] std::string next_value_of(const std::string& state);

/// Writes u.next for next(u) in equations and constraints, with blanks so that all else stays in its column. Texts with
/// mistakes stay as they are: build() says which.
[[nodiscard]] NextValues replace_next_values(Source& source, std::vector<Fault>& faults);

}  // namespace mti
