#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "solvers/integration/integrator.hpp"
#include "solvers/series/agreement.hpp"
#include "solvers/series/series_coefficients.hpp"
#include "solvers/series/step_choice.hpp"

namespace mti {

/// Σ_k coefficients_k τ^k with τ = (t − begin)/unit.
struct StepPolynomial {
  std::span<const double> coefficients;
  double begin = 0.0, unit = 1.0;

  [[nodiscard]] double tau(double t) const { return (t - begin) / unit; }
};

/// Integrates a mode by power series: each step is the polynomial
///
///     v(t₀ + στ) = Σ_{k=0}^{p} v_k τ^k
///
/// of the motion that starts at t₀, as long as its last coefficients are far below the tolerance. At the end of a step
/// the equations are solved anew; where ẋ or y differ from the polynomial by more than the tolerance allows, the step
/// is halved. A step ends before functions and quotients in between leave their polynomials (Agreement). The polynomials
/// are the dense output.
class SeriesIntegrator {
 public:
  explicit SeriesIntegrator(const Accuracy& accuracy) : accuracy_(accuracy), agreement_(accuracy) {}
  SeriesIntegrator(const SeriesIntegrator&) = delete;
  SeriesIntegrator& operator=(const SeriesIntegrator&) = delete;
  ~SeriesIntegrator() = default;

  /// Begins a segment at t and v (by rows of S). `program` must outlive it. `values` are Taylor coefficients there, by
  /// slots and given orders of the program. False if the mode's equations cannot be solved there.
  [[nodiscard]] bool start(const SeriesProgram& program, SeriesCoefficients& coefficients, double t,
                           std::span<const double> v, std::span<const double> values,
                           const InputPieces& pieces);
  [[nodiscard]] StepResult step(double t_stop);
  /// d^k/dt^k of the signal in row `row` of S at t within the last step.
  [[nodiscard]] double derivative(int row, double t, int k) const;
  /// What rounding may have made of that signal at t: that of each term of its polynomial, Σ |v_k| |τ|^k.
  [[nodiscard]] double rounding(int row, double t) const;
  /// The live constraint `index` along the last step.
  [[nodiscard]] StepPolynomial constraint(std::size_t index) const {
    return {std::span(constraints_).subspan(index * constraint_stride, at(order_) + 1), begin_, unit_};
  }
  /// What the last step has added to the error of the unknowns, in units of ε; see truncation_of.
  [[nodiscard]] double local_error() const {
    return truncation_of(norms_, order_, last_step() / unit_, accuracy_.rtol);
  }
  /// Up to where the last step has come.
  [[nodiscard]] double time() const noexcept { return end_; }
  [[nodiscard]] double last_step() const noexcept { return end_ - begin_; }
  [[nodiscard]] int last_order() const noexcept { return order_; }
  /// The largest of the polynomials of the last step.
  [[nodiscard]] int degree() const noexcept {
    return order_ + (program_->largest_c() > 0 ? std::max(program_->largest_offset(), 0) : 0);
  }
  /// So many steps in a row looked stiff.
  [[nodiscard]] int stiff_steps() const noexcept { return stiff_steps_; }
  [[nodiscard]] const IntegratorStatistics& statistics() const noexcept { return statistics_; }

 private:
  static constexpr std::size_t constraint_stride = SeriesCoefficients::highest_order + 1;

  double choose(double remaining);
  [[nodiscard]] double within_growth_of_states(double h, double remaining);
  [[nodiscard]] double within_agreement(double h);
  void extend(int order);
  [[nodiscard]] double within_reach_of_watched(double h) const;
  void count_stiff_steps(double h);
  [[nodiscard]] bool is_kept_alive_by_rounding(double h);
  [[nodiscard]] bool holds_at(double t);
  [[nodiscard]] bool follows_products_at(double t, bool first);
  [[nodiscard]] bool follows_functions_at(double t) const;
  [[nodiscard]] std::size_t orders_of(std::size_t slot) const;
  [[nodiscard]] std::span<const double> coefficients_of(std::size_t slot) const;

  const Accuracy& accuracy_;
  Agreement agreement_;
  SeriesCoefficients* coefficients_ = nullptr;
  const SeriesProgram* program_ = nullptr;
  std::vector<double> constants_;    ///< v at the start, for what does not vary
  std::vector<double> values_;       ///< by slot and given order, at end_
  std::vector<double> polynomials_;  ///< by slot, of the last step
  std::size_t stride_ = 0;           ///< room for a polynomial
  std::vector<double> constraints_;  ///< coefficients of the live constraints in the last step
  std::vector<double> norms_;
  std::vector<double>
      limits_;  ///< what the step is chosen by: the same, or of as many more orders as a slot has
  std::vector<double> misses_;  ///< of slots and constraints at the last trial of a step
  double begin_ = 0.0, end_ = 0.0;
  double unit_ = 1.0;  ///< of the time τ of the polynomials
  double next_unit_ = 0.0;
  int order_ = 0;
  int stage_ = 0;  ///< of coefficients_
  int stiff_steps_ = 0;
  double first_stiff_step_ = 0.0;  ///< length of the first of these
  int like_steps_ = 0;             ///< so many steps in a row have been alike
  double first_like_step_ = 0.0;   ///< length of the first of these
  /// What rounding leaves of signals, by slot, while it is compared with the motion: for some steps from time to time.
  std::vector<double> rounding_;
  int steps_compared_ = 0;                        ///< with it
  long steps_since_compared_ = 0, interval_ = 0;  ///< from one time to the next
  std::vector<char> growing_;  ///< by states: out of the tolerance, at the last choice of a step
  int steps_until_asked_ = 0, asked_after_ = 1;  ///< steps on which growth counts as its own unasked
  IntegratorStatistics statistics_;
};

}  // namespace mti
