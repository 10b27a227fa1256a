#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mti/source/source.hpp"

namespace mti {

/// a_1 = a_2, a_1 = a_3, …: one equation less than there are expressions, called `name`, or name_1, name_2, …
/// if there are several.
void equate(Source& system, const std::vector<std::string>& expressions, const std::string& name);

/// a_1 + a_2 + … = 0, called `name`. An expression may begin with a minus sign.
void balance(Source& system, const std::vector<std::string>& expressions, const std::string& name);

/// An input that follows an expression of other signals.
struct Drive {
  std::string input, expression;
  std::string name;  ///< of the equation
};

/// Makes inputs follow expressions:
///
///     u := e      u becomes an algebraic signal, with the equation u = e
///
/// at the end of the algebraic signals; the unit and nominal value stay, a constant value becomes the guess
/// at the start. A *binary* input takes the place of a binary or binary input named by the expression: that
/// name is written wherever the input stood, and the input is gone.
///
/// Returns the faults, each with the index of its drive, instead of throwing: ids `unknown-input` (with a
/// suggestion), `input-driven-twice`, `not-a-binary` (for a binary input).
struct DriveFault {
  std::size_t drive = 0;
  std::string id, message;
};
struct Driven {
  std::vector<DriveFault> faults = {};
  std::vector<std::size_t> kept = {};       ///< the inputs that stay, by their indices before
  std::vector<std::size_t> algebraic = {};  ///< the inputs that are algebraic signals now, in their new order
  std::vector<std::size_t> equations = {};  ///< the drives that are equations now, in their order
};
Driven drive(Source& system, const std::vector<Drive>& drives);

}  // namespace mti
