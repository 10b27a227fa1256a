#include "solvers/search/constraint_propagation.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"

namespace mti {
namespace {

/// A bound that moves by less than this part of the width does not wake other rows: slow convergence towards
/// a limit is not worth its price.
constexpr double worthwhile_narrowing = 0.1;
/// Conditions looked at in one run, per condition.
constexpr std::size_t most_rounds = 30;
/// More undecided binaries than this make no difference to the choice of the next one.
constexpr int most_open = 60;

/// The y with P·y = N for some of both. Nothing is known where P may be 0 and N too.
Interval quotient(const Interval& N, const Interval& P) {
  if (P.lo > 0.0 || P.hi < 0.0) return N * Interval{1.0 / P.hi, 1.0 / P.lo};
  Interval y;
  if (P.lo == 0.0 && P.hi > 0.0) {
    if (N.lo > 0.0) y.lo = N.lo / P.hi;
    if (N.hi < 0.0) y.hi = N.hi / P.hi;
  } else if (P.hi == 0.0 && P.lo < 0.0) {
    if (N.lo > 0.0) y.hi = N.lo / P.lo;
    if (N.hi < 0.0) y.lo = N.hi / P.lo;
  }
  return y;
}

/// The y with P·y ≤ N for some P.
Interval quotient_below(double N, const Interval& P) {
  Interval y;
  if (P.lo > 0.0)
    y.hi = N >= 0.0 ? N / P.lo : N / P.hi;
  else if (P.hi < 0.0)
    y.lo = N >= 0.0 ? N / P.hi : N / P.lo;
  else if (N < 0.0 && P.lo == 0.0 && P.hi > 0.0)
    y.hi = N / P.hi;
  else if (N < 0.0 && P.hi == 0.0 && P.lo < 0.0)
    y.lo = N / P.lo;
  return y;
}

/// Value of a formula where some variables are undecided: undecided unless the others decide it.
signed char three_valued(const BooleanFormula& formula, std::span<const signed char> values) {
  using Operation = BooleanFormula::Operation;
  std::vector<signed char> stack;
  for (const BooleanFormula::Step& step : formula.steps) {
    if (step.operation == Operation::constant) {
      stack.push_back(step.value ? 1 : 0);
    } else if (step.operation == Operation::variable) {
      stack.push_back(values[at(step.row)]);
    } else if (step.operation == Operation::negation) {
      if (stack.back() != undecided) stack.back() = static_cast<signed char>(1 - stack.back());
    } else {
      const signed char b = stack.back();
      stack.pop_back();
      const signed char a = stack.back(), decisive = step.operation == Operation::conjunction ? 0 : 1;
      if (a == decisive || b == decisive)
        stack.back() = decisive;
      else
        stack.back() = a == undecided || b == undecided ? undecided : static_cast<signed char>(1 - decisive);
    }
  }
  return stack.empty() ? static_cast<signed char>(1) : stack.back();
}

}  // namespace

ConstraintPropagation::ConstraintPropagation(const ConstraintProblem& problem)
    : problem_(problem),
      conditions_of_(at(problem.binaries + problem.unknowns)),
      exclusions_of_(2 * at(problem.binaries)) {
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const int condition = add(Kind::row, i);
    for (const ProblemRow::Use& use : problem.rows[i].uses)
      conditions_of_[at(use.variable)].push_back(condition);
  }
  for (std::size_t i = 0; i < problem.tables.size(); ++i) {
    const int condition = add(Kind::table, i);
    for (const int variable : problem.tables[i].variables())
      conditions_of_[at(variable)].push_back(condition);
  }
  for (std::size_t i = 0; i < problem.formulas.size(); ++i) {
    const int condition = add(Kind::formula, i);
    for (const int variable : problem.formulas[i].variables)
      conditions_of_[at(variable)].push_back(condition);
  }
}

int ConstraintPropagation::add(Kind kind, std::size_t index) {
  conditions_.push_back({kind, static_cast<int>(index)});
  queued_.push_back(0);
  return static_cast<int>(conditions_.size()) - 1;
}

void ConstraintPropagation::exclude(const Exclusion& exclusion) {
  const auto index = static_cast<int>(exclusions_.size());
  for (const auto& [binary, value] : exclusion) exclusions_of_[2 * at(binary) + at(value)].push_back(index);
  condition_of_exclusion_.push_back(add(Kind::exclusion, exclusions_.size()));
  exclusions_.emplace_back(exclusion);
}

void ConstraintPropagation::enter(ProblemState& state) {
  state_ = &state;
  packed_.assign(state.z);
}

bool ConstraintPropagation::start(ProblemState& state) {
  state.z.assign(at(problem_.binaries), undecided);
  state.unknowns.assign(at(problem_.unknowns), Interval{});
  if (problem_.impossible) return false;
  enter(state);
  for (std::size_t i = 0; i < conditions_.size(); ++i) queue(static_cast<int>(i));
  return run();
}

bool ConstraintPropagation::decide(ProblemState& state, int binary, signed char value) {
  enter(state);
  return set(binary, value) && run();
}

bool ConstraintPropagation::decide(ProblemState& state, std::span<const signed char> z) {
  enter(state);
  bool possible = true;
  for (int binary = 0; binary < problem_.binaries; ++binary)
    if (z[at(binary)] != undecided) possible = possible && set(binary, z[at(binary)]);
  // New exclusions may be in force that no decision wakes.
  for (std::size_t i = 0; i < exclusions_.size(); ++i)
    if (exclusions_[i].acts(packed_)) queue(condition_of_exclusion_[i]);
  return run() && possible;
}

bool ConstraintPropagation::confine(ProblemState& state, int unknown, const Interval& interval) {
  enter(state);
  return narrow(problem_.binaries + unknown, interval) && run();
}

bool ConstraintPropagation::run() {
  bool possible = true;
  std::size_t left = most_rounds * (conditions_.size() + 1);
  // NOLINTNEXTLINE(modernize-loop-convert): grows while it is gone through
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    Condition& condition = conditions_[at(queue_[next])];
    queued_[at(queue_[next])] = 0;
    if (!possible || left == 0) continue;  // only clears the marks
    --left;
    possible = check(condition);
    if (!possible) condition.weight += 1.0;
  }
  queue_.clear();
  return possible;
}

bool ConstraintPropagation::check(const Condition& condition) {
  switch (condition.kind) {
    case Kind::row:
      return check_row(problem_.rows[at(condition.index)]);
    case Kind::table: {
      const TruthTable& table = problem_.tables[at(condition.index)];
      return table.propagate(state_->z, [&](int variable, signed char value) {
        static_cast<void>(set(variable, value));  // both values possible or not: the table has said so
      });
    }
    case Kind::formula:
      return three_valued(problem_.formulas[at(condition.index)].formula, state_->z) != 0;
    case Kind::exclusion:
      return check_exclusion(exclusions_[at(condition.index)]);
  }
  return true;
}

bool ConstraintPropagation::check_exclusion(const PackedExclusion& exclusion) {
  switch (exclusion.state(packed_)) {
    case PackedExclusion::State::met:
      return false;
    case PackedExclusion::State::one_left: {
      const auto [binary, value] = exclusion.open_literal(packed_);
      return set(binary, static_cast<signed char>(1 - value));
    }
    case PackedExclusion::State::open:
    case PackedExclusion::State::fulfilled:
      return true;
  }
  return true;
}

Interval ConstraintPropagation::coefficient(const ProblemRow::Product& product) const {
  Interval sum = Interval::point(0.0);
  for (const ProblemRow::Term& term : product.terms) {
    Interval value = term.coefficient;
    for (const int binary : term.binaries) {
      const signed char z = state_->z[at(binary)];
      if (z == 1) continue;
      value = z == 0 ? Interval::point(0.0) : hull(value, Interval::point(0.0));
      if (z == 0) break;
    }
    sum = sum + value;
  }
  return sum;
}

Interval ConstraintPropagation::product_of(const std::vector<int>& unknowns, int without) const {
  Interval product = Interval::point(1.0);
  for (const int unknown : unknowns)
    if (unknown != without) product = product * state_->unknowns[at(unknown - problem_.binaries)];
  return product;
}

/// Of all products of the row but these.
Interval ConstraintPropagation::sum_without(const std::vector<int>& products) const {
  if (products.size() == 1) return before_[at(products.front())] + behind_[at(products.front()) + 1];
  Interval sum = Interval::point(0.0);
  for (std::size_t p = 0, next = 0; p < ranges_.size(); ++p) {
    if (next < products.size() && at(products[next]) == p)
      ++next;
    else
      sum = sum + ranges_[p];
  }
  return sum;
}

bool ConstraintPropagation::check_row(const ProblemRow& row) {
  const std::size_t count = row.products.size();
  ranges_.resize(count);
  before_.resize(count + 1);
  behind_.resize(count + 1);
  double size = 0.0;
  before_[0] = Interval::point(0.0);
  for (std::size_t p = 0; p < count; ++p) {
    const Interval factor = coefficient(row.products[p]);
    ranges_[p] = factor * product_of(row.products[p].unknowns, -1);
    before_[p + 1] = before_[p] + ranges_[p];
    if (ranges_[p].bounded()) size += ranges_[p].magnitude();
    // What has cancelled counts where it is known to be of a size.
    if (row.products[p].unknowns.empty())
      for (const ProblemRow::Term& term : row.products[p].terms) size += term.coefficient.magnitude();
  }
  const double slack = bound_rounding * size;
  const Interval total = before_[count];
  if (total.lo > slack || (row.equation && total.hi < -slack)) return false;
  if (total.hi <= 0.0 && !row.equation) return true;  // fulfilled whatever comes
  behind_[count] = Interval::point(0.0);
  for (std::size_t p = count; p > 0; --p) behind_[p - 1] = behind_[p] + ranges_[p - 1];
  return std::ranges::all_of(row.uses, [&](const ProblemRow::Use& use) {
    return use.variable < problem_.binaries ? check_binary(row, use, slack) : check_unknown(row, use, slack);
  });
}

/// Whether the row can be fulfilled with either value.
bool ConstraintPropagation::check_binary(const ProblemRow& row, const ProblemRow::Use& use, double slack) {
  signed char& z = state_->z[at(use.variable)];
  if (z != undecided) return true;
  const Interval others = sum_without(use.products);
  const auto possible = [&](signed char value) {
    z = value;
    Interval sum = others;
    for (const int p : use.products)
      sum = sum + coefficient(row.products[at(p)]) * product_of(row.products[at(p)].unknowns, -1);
    z = undecided;
    return sum.lo <= slack && (!row.equation || sum.hi >= -slack);
  };
  const bool can_be_0 = possible(0), can_be_1 = possible(1);
  if (can_be_0 && can_be_1) return true;
  return (can_be_0 || can_be_1) && set(use.variable, can_be_1 ? 1 : 0);
}

/// With the signal, the row is P·y + Q.
bool ConstraintPropagation::check_unknown(const ProblemRow& row, const ProblemRow::Use& use, double slack) {
  Interval P = Interval::point(0.0), Q = sum_without(use.products);
  for (const int p : use.products)
    P = P + coefficient(row.products[at(p)]) * product_of(row.products[at(p)].unknowns, use.variable);
  Q = {Q.lo - slack, Q.hi + slack};
  Interval y = row.equation ? quotient(-Q, P) : quotient_below(-Q.lo, P);
  if (std::isfinite(y.lo)) y.lo -= bound_rounding * std::abs(y.lo);
  if (std::isfinite(y.hi)) y.hi += bound_rounding * std::abs(y.hi);
  return narrow(use.variable, y);
}

bool ConstraintPropagation::set(int binary, signed char value) {
  signed char& entry = state_->z[at(binary)];
  if (entry == value) return true;
  if (entry != undecided) return false;
  entry = value;
  packed_.set(binary, value);
  for (const int condition : conditions_of_[at(binary)]) queue(condition);
  for (const int exclusion : exclusions_of_[2 * at(binary) + at(value)])
    if (exclusions_[at(exclusion)].acts(packed_)) queue(condition_of_exclusion_[at(exclusion)]);
  return true;
}

bool ConstraintPropagation::narrow(int variable, const Interval& interval) {
  Interval& entry = state_->unknowns[at(variable - problem_.binaries)];
  const Interval old = entry;
  entry = intersection(old, interval);
  if (entry.lo > entry.hi) return false;
  const double step = old.bounded() ? worthwhile_narrowing * (old.hi - old.lo) : 0.0;
  const auto moved = [&](double from, double to) {
    // With one end open, the other counts where it moves by a part of its size.
    return std::isfinite(to) &&
           (!std::isfinite(from) ||
            std::abs(to - from) >
                std::max(step, old.bounded() ? 0.0 : worthwhile_narrowing * std::abs(from)));
  };
  if (moved(old.lo, entry.lo) || moved(old.hi, entry.hi))
    for (const int condition : conditions_of_[at(variable)]) queue(condition);
  return true;
}

void ConstraintPropagation::queue(int condition) {
  if (queued_[at(condition)] != 0) return;
  queued_[at(condition)] = 1;
  queue_.push_back(condition);
}

int ConstraintPropagation::undecided_in(const ProblemState& state, const PackedAssignment& z,
                                        const Condition& condition) const {
  const auto open = [&](int variable) {
    return variable < problem_.binaries && state.z[at(variable)] == undecided;
  };
  switch (condition.kind) {
    case Kind::row: {
      const auto& uses = problem_.rows[at(condition.index)].uses;
      return static_cast<int>(std::ranges::count_if(uses, open, &ProblemRow::Use::variable));
    }
    case Kind::table:
      return static_cast<int>(std::ranges::count_if(problem_.tables[at(condition.index)].variables(), open));
    case Kind::formula:
      return static_cast<int>(std::ranges::count_if(problem_.formulas[at(condition.index)].variables, open));
    case Kind::exclusion: {
      const PackedExclusion& exclusion = exclusions_[at(condition.index)];
      return exclusion.state(z) == PackedExclusion::State::fulfilled ? most_open : exclusion.undecided(z);
    }
  }
  return most_open;
}

void ConstraintPropagation::add_to_binaries(const Condition& condition, double more,
                                            std::vector<double>& sums) const {
  const auto add = [&](int variable) {
    if (variable < problem_.binaries) sums[at(variable)] += more;
  };
  switch (condition.kind) {
    case Kind::row:
      for (const ProblemRow::Use& use : problem_.rows[at(condition.index)].uses) add(use.variable);
      break;
    case Kind::table:
      for (const int variable : problem_.tables[at(condition.index)].variables()) add(variable);
      break;
    case Kind::formula:
      for (const int variable : problem_.formulas[at(condition.index)].variables) add(variable);
      break;
    case Kind::exclusion:
      exclusions_[at(condition.index)].for_each_binary(add);
      break;
  }
}

std::vector<double> ConstraintPropagation::importance(const ProblemState& state) const {
  std::vector<double> sums(at(problem_.binaries), 0.0);
  PackedAssignment z;
  z.assign(state.z);
  for (const Condition& condition : conditions_) {
    const int open = undecided_in(state, z, condition);
    if (open < most_open) add_to_binaries(condition, std::ldexp(condition.weight, -open), sums);
  }
  return sums;
}

}  // namespace mti
