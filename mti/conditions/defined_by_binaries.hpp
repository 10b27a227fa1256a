#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mti/conditions/generated.hpp"
#include "mti/polynomials/polynomial.hpp"

namespace mti::conditions {

/// The equation holds binaries, pre-values, binary inputs and algebraic signals alone.
[[nodiscard]] bool is_static(const text::Polynomial& equation);

/// Signals that equations define by binaries alone,
///
///     c·y + p(z) = 0,    c a number other than 0, p a polynomial of binaries and of other such signals,
///
/// so that what compares them is logic: with v = 5·z the comparison v > 2.5 is z itself. No motion takes v to 2.5, and a
/// chain of such comparisons would be searched as if there were surfaces between them.
class DefinedByBinaries {
 public:
  /// Equations p = 0.
  explicit DefinedByBinaries(const std::vector<text::Polynomial>& equations);

  /// p by binaries; nothing if it holds other signals, none of these, or more than kMostTabulated binaries.
  [[nodiscard]] std::optional<text::Polynomial> in_binaries(const text::Polynomial& p) const;
  /// The equation defines one of the signals here.
  [[nodiscard]] bool is_definition(std::size_t equation) const { return defines_[equation] != 0; }

 private:
  std::map<text::Symbol, text::Polynomial> values_;
  std::vector<char> defines_;
};

/// What comparisons of such signals leave open where the two sides are equal.
struct LogicFound {
  /// Texts of those that share a binary and have different values there: to be built with a binary for each
  /// (Conditions).
  std::set<std::string> apart_at_zero = {};
  /// Those that have another value beside the values of parameters that are differentiated by, and 1 for each direction in
  /// which they vary.
  struct Decided {
    std::string text;
    std::vector<double> directions;
  };
  std::vector<Decided> decided = {};
};

/// Gives what is made of comparisons of such signals its value, where every assignment of their binaries decides it;
/// `declared` as for Conditions.
[[nodiscard]] LogicFound find_logic(Generated& made, int declared, const DefinedByBinaries& signals);

}  // namespace mti::conditions
