#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace mti {

/// The values of everything a model is frozen in: binaries z, remembered binaries pre(z), binary inputs.
struct Mode {
  std::vector<char> z;              ///< q entries, 0 or 1
  std::vector<char> pre;            ///< r entries, in the order of Signature::pre()
  std::vector<char> binary_inputs;  ///< one per binary input, in declared order

  friend bool operator==(const Mode&, const Mode&) = default;
};

struct ModeHash {
  [[nodiscard]] std::size_t operator()(const Mode& mode) const noexcept {
    std::size_t hash = 1469598103934665603ULL;
    for (const auto* bits : {&mode.z, &mode.pre, &mode.binary_inputs}) {
      for (const char bit : *bits) hash = (hash ^ static_cast<std::size_t>(bit + 1)) * 1099511628211ULL;
      hash = (hash ^ 7U) * 1099511628211ULL;
    }
    return hash;
  }
};

}  // namespace mti
