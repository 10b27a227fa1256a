#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mti/polynomials/polynomial.hpp"

namespace mti::conditions {

/// A binary z that a condition needs, with the rows that decide it:
///
///     z = 0  where  while_off <= 0,      z = 1  where  while_on <= 0
///
/// as constraints while_off·(1 − z) <= 0 and while_on·z <= 0; or, of logic, by the equation z = value, a
/// polynomial of other binaries.
struct GeneratedBinary {
  /// Its value where both rows are zero. That is an instant in a motion; where binaries alone decide, it counts.
  enum class AtZero : std::uint8_t {
    any,     ///< what it stands in has the same value for both: max, abs
    off,     ///< a < b, step(a)
    on,      ///< a <= b
    differs  ///< those that use it do not agree, or it should be neither: sign(a)
  };
  std::string name;  ///< as wanted; underscores are appended where it is taken
  std::string text;  ///< what it stands for: "T < 19"
  text::Polynomial while_off = {}, while_on = {};
  std::optional<text::Polynomial> value = {};
  AtZero at_zero = AtZero::any;
  std::vector<std::string> texts = {};  ///< of all that use it and to whom `at_zero` matters
  bool starts_on = false;               ///< its start value where both rows are zero, of one without memory
  std::optional<bool> initial =
      {};  ///< of one with memory: its start value where both of its values are admissible
};

/// A binary or its complement.
struct Literal {
  text::Symbol binary;
  bool negated = false;
  friend bool operator==(const Literal&, const Literal&) = default;
};

/// Two literals that never hold at once.
struct Exclusion {
  Literal first, second;
  friend bool operator==(const Exclusion&, const Exclusion&) = default;
};

/// What conditions need beside what a model declares.
struct Generated {
  std::vector<GeneratedBinary> binaries;
  std::vector<Exclusion> exclusions;
};

}  // namespace mti::conditions
