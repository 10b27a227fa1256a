#pragma once

#include <optional>
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

/// Message and level, if Signal::generated says that a binary is an assertion.
[[nodiscard]] std::optional<Assertion> assertion_of(std::string_view generated);
[[nodiscard]] std::vector<Assertion> assertions_of(const Signature& signature);

}  // namespace mti
