#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mti/model/model.hpp"

namespace mti::transform {

/// Σ_j weight_j · v_j as pairs (row of S, weight).
using Combination = std::vector<std::pair<int, double>>;

/// Names that no signal of a model has.
class UnusedNames {
 public:
  explicit UnusedNames(const Signature& signature);
  /// `wanted`, with underscores appended until nobody else has it.
  [[nodiscard]] std::string operator()(std::string wanted);

 private:
  std::set<std::string> taken_;
};

/// A model in other states and algebraic signals: what every signal of it becomes.
///
/// Rows are those of the new S before signals are named: (ẋ or x⁺, x, u, y, z, pre z) with the states and
/// algebraic signals given here and inputs, binaries and pre as they were.
struct SignalSubstitution {
  /// A linear equation Σ = 0 that is added.
  struct Definition {
    std::string name;
    Combination sum;
  };

  std::vector<Signal> states, algebraic;
  std::vector<double> x_start, y_start;
  std::vector<char> z_start;
  std::vector<Combination> becomes;     ///< by row of the old S
  std::vector<std::string> own_names;   ///< by row of the old S: its name if it must stay a signal
  std::vector<double> values;           ///< by row of the old S: its start value then
  std::vector<char> dropped;            ///< by equation
  std::vector<Definition> definitions;  ///< follow the equations
  double sample_time = 0.0;             ///< of the new model
};

/// The model with its columns multiplied out. Where that would give the square of a signal, or many columns
/// out of one, the signal of the old model stays: as an auxiliary algebraic signal with an equation
/// "NAME.definition". Scenarios are left out, and an output interval that is no multiple of the sample time.
[[nodiscard]] Model recast(const Model& model, SignalSubstitution as);

}  // namespace mti::transform
