#include "solvers/series/series_integrator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/series/step_choice.hpp"

namespace mti {
namespace {

constexpr std::size_t stride = SeriesCoefficients::stride;

/// The k-th derivative of Σ_j c_j τ^j with respect to τ.
double polynomial(std::span<const double> c, double tau, int k) {
  double sum = 0.0;
  for (int j = static_cast<int>(c.size()) - 1; j >= k; --j) {
    double falling = 1.0;
    for (int i = 0; i < k; ++i) falling *= j - i;
    sum = sum * tau + falling * c[at(j)];
  }
  return sum;
}

}  // namespace

bool SeriesIntegrator::start(const SeriesProgram& program, SeriesCoefficients& coefficients, double t,
                             std::span<const double> v, const std::vector<InputPiece>& pieces) {
  program_ = &program;
  coefficients_ = &coefficients;
  constants_.assign(v.begin(), v.end());
  begin_ = end_ = t;
  next_unit_ = 0.0;
  order_ = 0;
  stiff_steps_ = 0;
  values_.clear();
  for (const SeriesProgram::Slot& slot : program.slots()) values_.push_back(v[at(slot.row)]);
  polynomials_.assign(program.slots().size() * stride, 0.0);
  constraints_.assign(program.constraints().size() * stride, 0.0);
  coefficients.begin_segment(v, pieces);
  return coefficients.solve_order_0(t, values_);
}

/// Orders up to `order`, with their norms. Slopes are left out: what they are off is what x is off.
void SeriesIntegrator::extend(int order) {
  for (int k = order_ + 1; k <= order; ++k) {
    check_budget();
    coefficients_->solve_order(k, unit_);
    double norm = 0.0;
    for (std::size_t slot = 0; slot < values_.size(); ++slot) {
      if (program_->slots()[slot].is_slope) continue;
      const std::span<const double> c = coefficients_->of(static_cast<int>(slot));
      const double allowed =
          std::max(accuracy_.of(program_->slots()[slot].row, c[0]), std::numeric_limits<double>::min());
      const double part = std::abs(c[at(k)]) / allowed;
      norm = std::isfinite(part) ? std::max(norm, part) : std::numeric_limits<double>::infinity();
    }
    norms_.push_back(norm);
  }
  order_ = order;
}

/// Coefficients at end_, and the step that they allow.
double SeriesIntegrator::choose(double remaining) {
  const int base = order_for(accuracy_.rtol);
  // Powers of σ keep the coefficients within the range of numbers.
  constexpr double much_shorter = 1e-4;
  for (unit_ = next_unit_ > 0.0 ? next_unit_ : remaining;; unit_ *= much_shorter) {
    order_ = 0;
    norms_.assign(1, 0.0);
    extend(base);
    const bool finite = std::ranges::all_of(norms_, [](double norm) { return std::isfinite(norm); });
    if (finite || unit_ < std::numeric_limits<double>::min()) break;
  }
  double h = unit_ * step_for(norms_, order_);
  // Some more orders where they reach the end of the segment.
  constexpr double within_reach = 2.0;
  while (h < remaining && within_reach * h >= remaining && order_ < SeriesCoefficients::highest_order) {
    extend(order_ + 1);
    h = std::max(h, unit_ * step_for(norms_, order_));
  }
  return within_reach_of_watched(std::min(h, remaining));
}

/// As much of h as the series of all signals in constraints reach.
double SeriesIntegrator::within_reach_of_watched(double h) const {
  constexpr double part_of_reach = 0.9;
  double reach = std::numeric_limits<double>::infinity();
  for (const int slot : program_->watched())
    reach = std::min(reach, reach_of(coefficients_->of(slot), order_, h / unit_));
  return reach < h / unit_ ? part_of_reach * reach * unit_ : h;
}

/// Solves the equations at t from the polynomials' values there; false if they do not fulfil them well enough.
bool SeriesIntegrator::holds_at(double t) {
  const double h = t - begin_, tau = h / unit_;
  for (std::size_t slot = 0; slot < values_.size(); ++slot)
    values_[slot] = polynomial(coefficients_of(slot), tau, 0);
  ++statistics_.residual_evaluations;
  if (!coefficients_->solve_order_0(t, values_)) return false;
  // The defect of ẋ over the step bounds what x is off.
  constexpr double rounding = 64.0 * machine_epsilon;
  return std::ranges::all_of(program_->states(), [&](const SeriesProgram::State& state) {
    const double x = values_[at(state.value)], slope = values_[at(state.slope)];
    const double defect = h * (coefficients_->of(state.slope)[0] - slope);
    const double allowed = accuracy_.of(program_->slots()[at(state.value)].row, x) +
                           rounding * (std::abs(x) + std::abs(h * slope));
    return std::abs(defect) <= allowed;
  });
}

std::span<const double> SeriesIntegrator::coefficients_of(std::size_t slot) const {
  return std::span(polynomials_).subspan(slot * stride, at(order_) + 1);
}

double SeriesIntegrator::derivative(int row, double t, int k) const {
  const int slot = program_->place(row);
  if (slot < 0) return k == 0 ? constants_[at(row)] : 0.0;
  return polynomial(coefficients_of(at(slot)), (t - begin_) / unit_, k) / std::pow(unit_, k);
}

/// Steps that stability limits are alike; those that a pole limits become shorter towards it, and longer behind it.
void SeriesIntegrator::count_stiff_steps(double h) {
  constexpr double alike = 2.0;
  if (!looks_stiff(norms_, order_)) {
    stiff_steps_ = 0;
  } else if (stiff_steps_ == 0 || h > alike * first_stiff_step_ || alike * h < first_stiff_step_) {
    stiff_steps_ = 1;
    first_stiff_step_ = h;
  } else {
    ++stiff_steps_;
  }
}

StepResult SeriesIntegrator::step(double t_stop) {
  check_budget();
  begin_ = end_;
  const double remaining = t_stop - begin_;
  double h = choose(remaining);
  count_stiff_steps(h);
  for (std::size_t slot = 0; slot < values_.size(); ++slot)
    std::ranges::copy(coefficients_->of(static_cast<int>(slot)),
                      polynomials_.begin() + static_cast<std::ptrdiff_t>(slot * stride));
  for (std::size_t index = 0; index < program_->constraints().size(); ++index)
    for (int k = 0; k <= order_; ++k)
      constraints_[index * stride + at(k)] = coefficients_->constraint(index, k);
  ++statistics_.steps;
  constexpr int most_halvings = 40;
  for (int halving = 0; halving < most_halvings; ++halving, h *= 0.5) {
    // A little rest would make a step of its own.
    constexpr double nearly_all = 0.999;
    const double end = h >= nearly_all * remaining && halving == 0 ? t_stop : begin_ + h;
    if (!(end > begin_)) break;
    if (!holds_at(end)) {
      ++statistics_.error_test_failures;
      h = end - begin_;
      continue;
    }
    end_ = end;
    next_unit_ = end_ - begin_;
    return {true, end_, {}};
  }
  return {false, begin_, "its steps are too small to advance the time"};
}

}  // namespace mti
