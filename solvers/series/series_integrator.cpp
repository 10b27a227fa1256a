#include "solvers/series/series_integrator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/series/growth.hpp"
#include "solvers/series/polynomial_motion.hpp"
#include "solvers/series/step_choice.hpp"

namespace mti {
namespace {

/// The k-th derivative of Σ_j c_j τ^j with respect to τ.
double polynomial(std::span<const double> c, double tau, int k) {
  double sum = 0.0;
  if (k == 0) {
    for (std::size_t j = c.size(); j > 0; --j) sum = sum * tau + c[j - 1];
    return sum;
  }
  for (int j = static_cast<int>(c.size()) - 1; j >= k; --j) {
    double falling = 1.0;
    for (int i = 0; i < k; ++i) falling *= j - i;
    sum = sum * tau + falling * c[at(j)];
  }
  return sum;
}

/// Whether the coefficients of a slot limit the step: not those of derivatives, of states or inputs.
bool counts(const SeriesProgram::Slot& slot, const Accuracy& accuracy) {
  return slot.kind != SeriesProgram::Slot::Kind::slope && at(slot.row) < accuracy.absolute.size();
}

/// Counts a step of length h, from 1 again if it is not like the first of those counted.
void count_if_alike(double h, int& count, double& first) {
  constexpr double alike = 2.0;
  const bool is_alike = count > 0 && h <= alike * first && alike * h >= first;
  count = is_alike ? count + 1 : 1;
  if (!is_alike) first = h;
}

double finite_or_infinite(double size) {
  return std::isfinite(size) ? size : std::numeric_limits<double>::infinity();
}

}  // namespace

bool SeriesIntegrator::start(const SeriesProgram& program, SeriesCoefficients& coefficients, double t,
                             std::span<const double> v, std::span<const double> values,
                             const InputPieces& pieces) {
  program_ = &program;
  coefficients_ = &coefficients;
  constants_.assign(v.begin(), v.end());
  begin_ = end_ = t;
  next_unit_ = 0.0;
  order_ = 0;
  stiff_steps_ = like_steps_ = 0;
  rounding_.clear();
  steps_since_compared_ = interval_ = 0;
  steps_until_asked_ = 0;
  asked_after_ = 1;
  values_.assign(values.begin(), values.end());
  stride_ = constraint_stride + at(program.largest_offset());
  polynomials_.assign(program.slots().size() * stride_, 0.0);
  constraints_.assign(program.constraints().size() * constraint_stride, 0.0);
  agreement_.begin(program, v);
  coefficients.begin_segment(v, pieces);
  return coefficients.solve_stage_0(t, values_, 1.0);
}

/// Orders up to `order`, with their norms. Slopes are left out: what they are off is what x is off. Where equations are
/// differentiated, what has the lowest order of all is a reaction that holds x on its constraints, which are met anew
/// after each step: it is truncated where x, known to more orders, is not, and what that leaves does not add up.
void SeriesIntegrator::extend(int order) {
  constexpr double part_of_reactions = 0.1;
  const bool constrained = program_->largest_c() > 0;
  for (int k = order_ + 1; k <= order; ++k) {
    check_budget();
    while (stage_ < k - program_->smallest_offset()) coefficients_->solve_stage(++stage_);
    double norm = 0.0, limit = 0.0;
    for (std::size_t slot = 0; slot < program_->slots().size(); ++slot) {
      const SeriesProgram::Slot& s = program_->slots()[slot];
      if (!counts(s, accuracy_)) continue;
      const std::span<const double> c = coefficients_->of(static_cast<int>(slot));
      const double allowed = std::max(accuracy_.of(s.row, c[0]), std::numeric_limits<double>::min());
      const auto part = [&](int of_order) { return finite_or_infinite(std::abs(c[at(of_order)]) / allowed); };
      norm = std::max(norm, part(k));
      if (!constrained || k < order - 1) continue;
      const bool reacts = s.offset == 0 && s.kind == SeriesProgram::Slot::Kind::other;
      const int more = std::max(s.offset, 0);
      limit = std::max(limit, reacts     ? part_of_reactions * part(k)
                              : more > 0 ? norm_at_order(k, k + more, part(k + more))
                                         : part(k));
    }
    norms_.push_back(norm);
    limits_.push_back(constrained ? limit : norm);
  }
  order_ = order;
}

/// Coefficients at end_, and the step that they allow.
double SeriesIntegrator::choose(double remaining) {
  const int base = order_for(accuracy_.rtol);
  // Powers of σ keep the coefficients within the range of numbers.
  constexpr double much_shorter = 1e-4;
  for (unit_ = next_unit_ > 0.0 ? next_unit_ : remaining;; unit_ *= much_shorter) {
    order_ = stage_ = 0;
    norms_.assign(1, 0.0);
    limits_.assign(1, 0.0);
    coefficients_->set_unit(unit_);
    extend(base);
    const auto is_finite = [](double norm) { return std::isfinite(norm); };
    const bool finite = std::ranges::all_of(norms_, is_finite) && std::ranges::all_of(limits_, is_finite);
    if (finite || unit_ < std::numeric_limits<double>::min()) break;
  }
  // Orders that vanish say nothing of those above them but where the motion is a polynomial.
  while (std::isinf(step_for(limits_, order_)) && order_ < SeriesCoefficients::highest_order &&
         !is_polynomial(*coefficients_, order_))
    extend(order_ + 1);
  double h = unit_ * step_for(limits_, order_);
  // Some more orders where they reach the end of the segment.
  constexpr double within_reach = 2.0;
  while (h < remaining && within_reach * h >= remaining && order_ < SeriesCoefficients::highest_order) {
    extend(order_ + 1);
    h = std::max(h, unit_ * step_for(limits_, order_));
  }
  h = std::min(h, remaining);
  return within_reach_of_watched(within_growth_of_states(h, remaining));
}

/// As much of h as follows what grows by itself out of the tolerance. That it is not fed is taken for granted for ever more
/// steps.
double SeriesIntegrator::within_growth_of_states(double h, double remaining) {
  const double tau = h / unit_;
  StepOfGrowth followed{tau, std::numeric_limits<double>::infinity()};
  growing_.assign(program_->states().size(), 0);
  for (std::size_t i = 0; i < growing_.size(); ++i) {
    const SeriesProgram::State& state = program_->states()[i];
    const std::span<const double> c = coefficients_->of(state.value);
    const double allowed = accuracy_.of(program_->slots()[at(state.value)].row, c[0]);
    const StepOfGrowth step = within_growth(c, order_, tau, remaining / unit_, accuracy_.rtol, allowed);
    if (!(step.tau < tau)) continue;
    growing_[i] = 1;
    followed = {std::min(followed.tau, step.tau), std::min(followed.rate, step.rate)};
  }
  if (!(followed.tau < tau)) return h;
  if (--steps_until_asked_ <= 0) {
    if (is_fed(*coefficients_, accuracy_, values_, growing_, order_, {tau, followed.rate})) return h;
    constexpr int longest_interval = 16;
    asked_after_ = std::min(2 * asked_after_, longest_interval);
    steps_until_asked_ = asked_after_;
  }
  stiff_steps_ = 0;  // it is the motion that limits the step
  return unit_ * followed.tau;
}

/// As much of h as the series of all signals in constraints reach.
double SeriesIntegrator::within_reach_of_watched(double h) const {
  constexpr double part_of_reach = 0.9;
  double reach = std::numeric_limits<double>::infinity();
  for (const int slot : program_->watched())
    reach = std::min(reach, reach_of(coefficients_->of(slot), order_, h / unit_));
  return reach < h / unit_ ? part_of_reach * reach * unit_ : h;
}

/// As much of h as the polynomials agree with the functions and quotients between them.
double SeriesIntegrator::within_agreement(double h) {
  const double tau = h / unit_;
  const double agreed =
      agreement_.agrees_up_to(tau, h, order_, [&](int slot) { return coefficients_of(at(slot)); });
  return agreed < tau ? agreed * unit_ : h;
}

/// Solves the equations at t from the polynomials' values there; false if they do not fulfil them well enough.
bool SeriesIntegrator::holds_at(double t) {
  const double h = t - begin_, tau = h / unit_;
  const auto width = at(program_->most_given_orders());
  for (std::size_t slot = 0; slot < program_->slots().size(); ++slot)
    for (int k = 0; k < program_->given_orders(slot); ++k)
      values_[slot * width + at(k)] = polynomial(coefficients_of(slot), tau, k) / factorial(k);
  ++statistics_.residual_evaluations;
  if (!coefficients_->solve_stage_0(t, values_, unit_)) return false;
  // What conditions have moved x by, and the defect over the step of the derivative of x, as a polynomial, which bounds what x
  // is off. That of ẋ would miss what both leave out, as of ẋ = k t^p, where x begins with order p + 1.
  constexpr double rounding = 64.0 * machine_epsilon;
  return std::ranges::all_of(program_->states(), [&](const SeriesProgram::State& state) {
    const double x = values_[at(state.value) * width],
                 slope = polynomial(coefficients_of(at(state.value)), tau, 1) / unit_;
    const double moved = coefficients_->of(state.value)[0] - x;
    const double defect = h * (coefficients_->of(state.slope)[0] - slope);
    const double allowed = accuracy_.of(program_->slots()[at(state.value)].row, x) +
                           rounding * (std::abs(x) + std::abs(h * slope));
    return std::max(std::abs(moved), std::abs(defect)) <= allowed;
  });
}

/// Where equations are differentiated, what has a higher derivative in them is known to as many more orders.
std::size_t SeriesIntegrator::orders_of(std::size_t slot) const {
  const int more = program_->largest_c() > 0 ? std::max(program_->slots()[slot].offset, 0) : 0;
  return at(order_ + more) + 1;
}

std::span<const double> SeriesIntegrator::coefficients_of(std::size_t slot) const {
  return std::span(polynomials_).subspan(slot * stride_, orders_of(slot));
}

double SeriesIntegrator::derivative(int row, double t, int k) const {
  const int slot = program_->place(row);
  if (slot < 0) return k == 0 ? constants_[at(row)] : 0.0;
  const double of_tau = polynomial(coefficients_of(at(slot)), (t - begin_) / unit_, k);
  return k == 0 ? of_tau : of_tau / (k == 1 ? unit_ : std::pow(unit_, k));
}

double SeriesIntegrator::rounding(int row, double t) const {
  constexpr double roundings = 32.0 * machine_epsilon;
  const int slot = program_->place(row);
  if (slot < 0) return 0.0;
  double size = 0.0, power = 1.0;
  for (const double c : coefficients_of(at(slot))) {
    size += std::abs(c) * power;
    power *= std::abs(t - begin_) / unit_;
  }
  return roundings * size;
}

/// Steps that stability limits are alike; those that a pole limits become shorter towards it, and longer behind it.
void SeriesIntegrator::count_stiff_steps(double h) {
  const bool of_rounding = is_kept_alive_by_rounding(h);
  if (!of_rounding && !looks_stiff(norms_, order_))
    stiff_steps_ = 0;
  else
    count_if_alike(h, stiff_steps_, first_stiff_step_);
}

/// Whether the step is limited by no more than what rounding leaves of signals. An equation may magnify it far beyond the
/// tolerance: a voltage across leakages G, u = (i₁ − i₂)/G, is off by ε|i|/G, and as the fast motion of i₁ − i₂, of rate
/// 1/(L G), that error is made anew with each step. Rounding is looked at when many steps have been alike, for as many steps,
/// and then after ever longer intervals.
bool SeriesIntegrator::is_kept_alive_by_rounding(double h) {
  constexpr int many = 16;
  count_if_alike(h, like_steps_, first_like_step_);
  ++steps_since_compared_;
  if (rounding_.empty()) {
    const bool plain = program_->largest_c() == 0 && program_->smallest_offset() >= 0;
    if (!plain || like_steps_ < many || steps_since_compared_ < interval_) return false;
    rounding_ = coefficients_->rounding();
    steps_compared_ = 0;
    interval_ = 2 * std::max<long>(interval_, many);
  }
  if (like_steps_ == 1 || ++steps_compared_ > many) {
    rounding_.clear();
    steps_since_compared_ = 0;
    return false;
  }
  constexpr double several = 8.0;
  std::vector<double> norms(norms_.size(), 0.0);
  for (std::size_t slot = 0; slot < program_->slots().size(); ++slot) {
    const SeriesProgram::Slot& s = program_->slots()[slot];
    if (!counts(s, accuracy_)) continue;
    const std::span<const double> c = coefficients_->of(static_cast<int>(slot));
    const double allowed =
        std::max({accuracy_.of(s.row, c[0]), several * rounding_[slot], std::numeric_limits<double>::min()});
    for (const int k : {order_ - 1, order_})
      norms[at(k)] = std::max(norms[at(k)], finite_or_infinite(std::abs(c[at(k)]) / allowed));
  }
  return looks_stiff(norms, order_);
}

/// False where the polynomials of algebraic signals, or of constraints, have lost something at t: products have higher
/// orders than their factors, so that a step which follows the states exactly may miss all of a product. With the
/// equations solved at t; `first` for the first t of a step. What half a step does not lessen by several orders is rounding of an
/// ill-conditioned equation.
bool SeriesIntegrator::follows_products_at(double t, bool first) {
  // Before all else: a later end of the step is compared with what an earlier one has missed by.
  if (first)
    misses_.assign(program_->slots().size() + program_->constraints().size(),
                   std::numeric_limits<double>::infinity());
  if (!follows_functions_at(t)) return false;
  if (program_->largest_c() > 0 || program_->smallest_offset() < 0) return true;
  constexpr double several = 4.0, rounding = 64.0 * machine_epsilon, much_less = 1.0 / 16.0;
  const double tau = (t - begin_) / unit_;
  const auto width = at(program_->most_given_orders());
  const std::size_t slots = program_->slots().size(), constraints = program_->constraints().size();
  // Where signals are cut off themselves, their errors are those of products too.
  constexpr double nothing_left_out = 1e-3, clear_miss = 1e-3;
  if (truncation_of(norms_, order_, tau, accuracy_.rtol) > nothing_left_out) return true;
  bool lost = false;
  const auto compare = [&](std::size_t item, double off, double allowed) {
    if (!(off <= allowed)) lost = lost || !(off >= much_less * misses_[item]);
    misses_[item] = off;
  };
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (program_->slots()[slot].kind != SeriesProgram::Slot::Kind::other) continue;
    const double y = values_[slot * width], now = coefficients_->of(static_cast<int>(slot))[0];
    compare(slot, std::abs(now - y),
            several * accuracy_.of(program_->slots()[slot].row, now) + rounding * std::abs(y));
  }
  for (std::size_t index = 0; index < constraints; ++index) {
    const std::span<const double> g = constraint(index).coefficients;
    double size = 0.0;
    for (std::size_t k = g.size(); k > 0; --k) size = size * tau + std::abs(g[k - 1]);
    const double now = coefficients_->constraint(index, 0);
    compare(slots + index, std::abs(now - polynomial(g, tau, 0)), clear_miss * std::max(size, std::abs(now)));
  }
  return !lost;
}

/// A polynomial knows nothing of the end of a domain: that of √h goes on below zero where h touches it. What functions give
/// is compared with the equations solved at the end of the step, however short that is.
bool SeriesIntegrator::follows_functions_at(double t) const {
  constexpr double several = 4.0, rounding = 1024.0 * machine_epsilon;
  const auto width = at(program_->most_given_orders());
  std::vector<double> of_block;  // once asked for
  for (std::size_t slot = 0; slot < program_->slots().size(); ++slot) {
    const SeriesProgram::Slot& s = program_->slots()[slot];
    if (!s.of_function || s.kind != SeriesProgram::Slot::Kind::other) continue;
    const double y = values_[slot * width], now = coefficients_->of(static_cast<int>(slot))[0];
    const double off = std::abs(now - y),
                 allowed = several * accuracy_.of(s.row, now) + rounding * std::abs(y);
    if (!(off <= allowed)) {
      // A block may leave its functions with far fewer digits than they have of their own.
      if (of_block.empty()) of_block = coefficients_->rounding();
      if (!(off <= allowed + several * of_block[slot])) return false;
    }
    if (!s.is_root || y >= 0.0) continue;
    double size = 0.0, power = 1.0;
    for (const double c : coefficients_of(slot)) {
      size += std::abs(c) * power;
      power *= (t - begin_) / unit_;
    }
    if (-y > rounding * size) return false;
  }
  return true;
}

StepResult SeriesIntegrator::step(double t_stop) {
  check_budget();
  const double remaining = t_stop - end_;
  double h = 0.0;
  // The last step is read until this one has its polynomials: also where the budget ends in between.
  const double unit = unit_;
  const int order = order_;
  try {
    h = choose(remaining);
  } catch (...) {
    unit_ = unit;
    order_ = order;
    throw;
  }
  begin_ = end_;
  count_stiff_steps(h);
  for (std::size_t slot = 0; slot < program_->slots().size(); ++slot)
    std::ranges::copy(coefficients_->of(static_cast<int>(slot)).first(orders_of(slot)),
                      polynomials_.begin() + static_cast<std::ptrdiff_t>(slot * stride_));
  for (std::size_t index = 0; index < program_->constraints().size(); ++index)
    for (int k = 0; k <= order_; ++k)
      constraints_[index * constraint_stride + at(k)] = coefficients_->constraint(index, k);
  ++statistics_.steps;
  constexpr int most_halvings = 40;
  // A little rest would make a step of its own.
  constexpr double nearly_all = 0.999;
  const double wanted = h >= nearly_all * remaining ? remaining : h;
  h = within_agreement(wanted);
  const bool to_the_end = wanted == remaining && h == wanted;
  if (h < wanted) ++statistics_.error_test_failures;
  bool compared = false;
  for (int halving = 0; halving < most_halvings; ++halving, h *= 0.5) {
    const double end = to_the_end && halving == 0 ? t_stop : begin_ + h;
    // Towards a pole steps of a few roundings of the time would never end.
    constexpr double least_roundings = 8.0;
    if (!(end > begin_) ||
        (end < t_stop && end - begin_ < least_roundings * machine_epsilon * std::abs(begin_)))
      break;
    const bool holds = holds_at(end), follows = holds && follows_products_at(end, !compared);
    compared = compared || holds;
    if (!follows) {
      ++statistics_.error_test_failures;
      h = end - begin_;
      continue;
    }
    end_ = end;
    next_unit_ = end_ - begin_;
    return {true, end_, {}};
  }
  // What is infinite beside the end of a domain would make 0·∞ of the values where the step begins.
  for (std::vector<double>* coefficients : {&polynomials_, &constraints_})
    std::ranges::replace_if(
        *coefficients, [](double c) { return !std::isfinite(c); }, 0.0);
  return {false, begin_, "its steps are too small to advance the time"};
}

}  // namespace mti
