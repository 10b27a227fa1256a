#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mti/model/signature.hpp"

namespace mti {

/// How Signal::generated of a binary begins that is 1 as long as an assertion of the model holds; its message follows.
inline constexpr std::string_view assertion_mark = "assertion: ", warning_mark = "assertion (warning): ";

struct Assertion {
  int row = -1;  ///< of S
  std::string name = {}, message = {};
  bool is_error = true;  ///< and more than a warning
};

[[nodiscard]] std::vector<Assertion> assertions_of(const Signature& signature);

}  // namespace mti
