#pragma once

#include <cstddef>
#include <vector>

namespace mti {

/// Orders of magnitude of the signals of some rows: signal ∼ h^(−o) as the step h of implicit Euler goes to
/// 0.
///
/// A product has the sum of its factors' orders. In every row whose largest order is positive at least two
/// terms attain it. Slopes have orders in [0, 1], 1 where the state jumps; everything else at least 0.
/// Source: Benveniste, Caillaud, Malandain, Inria RR 9334, sec. 11 (impulse analysis).
struct OrderProblem {
  using Term = std::vector<int>;  ///< the signals multiplied in it, with repetitions; none: order 0
  int signals = 0;
  std::vector<char> is_slope;  ///< by signal
  std::vector<std::vector<Term>> rows;
};

/// The search gives up after so many choices.
inline constexpr long most_choices_of_orders = 200'000;
/// More terms in one row are too many: n (n − 1)/2 > most_choices_of_orders for n beyond it.
inline constexpr std::size_t most_terms_of_row = 633;

/// All assignments of orders with a jump somewhere, none twice; empty if there is none, or if there are too
/// many signals or ways to try (a dozen of signals of different order).
[[nodiscard]] std::vector<std::vector<double>> find_orders(const OrderProblem& problem);

}  // namespace mti
