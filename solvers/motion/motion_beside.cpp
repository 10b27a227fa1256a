// Constraints of modes that differentiate, where fast states have relaxed.
#include <limits>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/motion/motion.hpp"

namespace mti {

/// Steps of implicit Euler take f = 0 as it stands, conditions on positions among its rows. x itself is not moved.
void Motion::look_beside(std::span<const double> input_rates) {
  if (!system_->plan->algebraic_states.empty() || system_->held) return;
  std::vector<double> v = v_;
  TaylorSeries series(system_->rows_of_v(model_.signature));
  series.take_order_0(series_);
  auto found =
      QuasiSteady::find(system_->f, *system_->plan, model_.signature, accuracy_, t_, input_rates, v, series);
  if (!found) return;
  found->enter_beside(series);
  relaxed_ = Relaxed{*std::move(found), std::move(series)};
}

Ball Motion::relaxed_constraint(int row, int k) {
  constexpr int most_orders = 3;
  if (k > most_orders) return {0.0, std::numeric_limits<double>::infinity()};
  TaylorSeries& series = relaxed_->series;
  const Signature& signature = model_.signature;
  for (int& stage = relaxed_->stages; stage <= k; ++stage) {
    make_room(stage + 1);
    while (series.orders() <= stage + 1) {
      series.add_order();
      const int order = series.orders() - 1;
      for (int i = 0; i < signature.m(); ++i)
        series.at(signature.input_row(i), order) = series_.at(signature.input_row(i), order);
    }
    relaxed_->quasi_steady.solve_stage(system_->f, series, stage);
  }
  return system_->g.coefficient(row, series, k);
}

}  // namespace mti
