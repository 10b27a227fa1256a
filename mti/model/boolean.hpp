#pragma once

#include <functional>
#include <string>
#include <vector>

namespace mti {

/// A Boolean formula over binaries (and binary inputs), in postfix order.
///
/// Used for `invariants`: modes in which one is false are not considered.
struct BooleanFormula {
  enum class Operation { variable, negation, conjunction, disjunction, constant };
  struct Step {
    Operation operation = Operation::constant;
    int row = -1;        ///< for variable: its row of S
    bool value = false;  ///< for constant
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::string text;  ///< as written in the model
  std::vector<Step> steps;

  /// Value of the formula where `value_of(row)` gives each variable.
  [[nodiscard]] bool evaluate(const std::function<bool(int)>& value_of) const;

  friend bool operator==(const BooleanFormula&, const BooleanFormula&) = default;
};

}  // namespace mti
