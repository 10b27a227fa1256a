#pragma once

#include "mti/build/build_parts.hpp"
#include "mti/polynomials/polynomial.hpp"

namespace mti::building {

/// Polynomials at the start values of signals, guesses as they are for algebraic ones; slopes count as 0.
class StartValues {
 public:
  /// `first_auxiliary`: place of the auxiliary signals among the algebraic ones. Later entries of `signals`
  /// are seen as they come.
  StartValues(const Signals& signals, double start_time, int first_auxiliary)
      : signals_(signals), start_time_(start_time), first_auxiliary_(first_auxiliary) {}

  [[nodiscard]] double value(const text::Polynomial& polynomial) const;
  /// It holds states whose start is fixed, and inputs, only: its value is no guess.
  [[nodiscard]] bool is_certain(const text::Polynomial& polynomial) const;
  /// max |c|·Π nominal over its monomials but the constant one, which does not vary; 1 where that is nothing.
  [[nodiscard]] double nominal(const text::Polynomial& polynomial) const;

 private:
  struct Known {
    double value = 0.0, nominal = 1.0;
  };
  [[nodiscard]] Known known(text::Symbol symbol) const;

  const Signals& signals_;
  double start_time_;
  int first_auxiliary_;
};

}  // namespace mti::building
