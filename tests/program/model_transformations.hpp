#pragma once

#include <map>
#include <vector>

#include "mti/model/model.hpp"

/// Other ways to write the same model, made from S, Φ and the signature: none of them may change a run.
namespace mti::test {

/// g'_l = k_l · g_l and f'_j = k_j · f_j.
[[nodiscard]] Model with_scaled_rows(Model model, const std::vector<double>& equations,
                                     const std::vector<double>& constraints);

/// One more row Σ_i k_i · f_i of f before row `place`: it follows from the others.
[[nodiscard]] Model with_row_sum(Model model, const std::map<int, double>& k, int place);

/// s' = k · s for states (with their derivatives), inputs and algebraic signals, together with nominal, start
/// value and course. Binaries and the clock stay as they are.
struct SignalScales {
  std::vector<double> states, inputs, algebraic;
};
[[nodiscard]] SignalScales no_scales(const Model& model);
[[nodiscard]] Model with_scaled_signals(Model model, const SignalScales& wanted);

/// t' = k · t, so that ẋ' = ẋ/k: inputs, the clock and the experiment go with it.
[[nodiscard]] Model with_scaled_time(Model model, double k);

/// Signals within their groups, equations, constraints and columns in another order.
[[nodiscard]] Model permuted(const Model& model, unsigned seed);

/// `count` constraints on states and inputs that no motion with |v_i| < M_i meets:
/// (v_i − M_i)(v_j + M_j) ≤ 0 and (v_i − M_i)(1 + z) ≤ 0. `bounds` M has one entry for every row of S.
[[nodiscard]] Model with_passive_constraints(Model model, int count, const std::vector<double>& bounds,
                                             unsigned seed);

}  // namespace mti::test
