#include "tests/solvers/motion/plain_mode.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "mti/common/at.hpp"

namespace mti::test {
namespace {

constexpr double surely_zero = 1e-10, surely_not = 1e-4, rank_threshold = 1e-9;

/// The rows with z, pre(z) and binary inputs replaced by their values.
std::vector<PlainRow> frozen(const std::vector<PlainRow>& rows, const Signature& signature,
                             const std::vector<double>& v) {
  const auto is_fixed = [&](int signal) {
    if (signal >= signature.binary_row(0)) return true;
    const int input = signal - signature.input_row(0);
    return input >= 0 && input < signature.m() && signature.inputs()[at(input)].binary;
  };
  std::vector<PlainRow> result;
  for (const PlainRow& row : rows) {
    std::map<std::vector<int>, double> merged;
    for (const Monomial& monomial : row) {
      double weight = monomial.weight;
      std::vector<int> live;
      for (const int signal : monomial.signals)
        if (is_fixed(signal))
          weight *= v[at(signal)];
        else
          live.push_back(signal);
      merged[live] += weight;
    }
    PlainRow left;
    for (const auto& [signals, weight] : merged)
      if (std::abs(weight) > surely_zero) left.push_back({weight, signals});
    result.push_back(std::move(left));
  }
  return result;
}

bool is_constant(const PlainRow& row) {
  return std::all_of(row.begin(), row.end(), [](const Monomial& term) { return term.signals.empty(); });
}

/// Rows of non-zero entries.
std::vector<Eigen::Index> support(const Eigen::MatrixXd& vectors) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < vectors.rows(); ++i)
    if (vectors.row(i).cwiseAbs().maxCoeff() > rank_threshold) rows.push_back(i);
  return rows;
}

}  // namespace

PlainMode::PlainMode(const PlainModel& rows, const Mode& mode, const Instant& instant, int most_orders)
    : model_(rows.model),
      mode_(mode),
      instant_(instant),
      orders_(most_orders >= 0 ? most_orders : std::max(4, 1 + rows.model.signature.n())),
      unknowns_(plain_unknowns(model_.signature)),
      series_(at(model_.signature.size())) {
  write_known(instant);
  std::vector<double> v;
  for (const std::vector<double>& coefficients : series_) v.push_back(coefficients[0]);
  f_ = frozen(rows.f, model_.signature, v);
  g_ = frozen(rows.g, model_.signature, v);
  for (int row = 0; row < static_cast<int>(f_.size()); ++row)
    if (!is_constant(f_[at(row)])) live_.push_back(row);
}

void PlainMode::write_known(const Instant& instant) {
  const Signature& signature = model_.signature;
  for (std::size_t i = 0; i < series_.size(); ++i) series_[i] = {instant.v[i]};
  for (int i = 0; i < signature.m(); ++i)
    series_[at(signature.input_row(i))][0] = instant.pieces[at(i)].value(instant.t);
  for (int i = 0; i < signature.q(); ++i) series_[at(signature.binary_row(i))][0] = mode_.z[at(i)];
  for (int i = 0; i < signature.r(); ++i) series_[at(signature.pre_row(i))][0] = mode_.pre[at(i)];
}

/// Coefficient k of the row's power series.
double PlainMode::coefficient(const PlainRow& row, int k) const {
  double sum = 0.0;
  std::vector<double> product, next;
  for (const Monomial& term : row) {
    product.assign(at(k) + 1, 0.0);
    product[0] = term.weight;
    for (const int signal : term.signals) {
      const std::vector<double>& v = series_[at(signal)];
      next.assign(at(k) + 1, 0.0);
      for (std::size_t a = 0; a <= at(k); ++a)
        for (std::size_t b = 0; a + b <= at(k) && b < v.size(); ++b) next[a + b] += product[a] * v[b];
      product.swap(next);
    }
    sum += product[at(k)];
  }
  return sum;
}

/// −1, 0 or 1; notes numbers in between.
double PlainMode::classified(double number) {
  if (std::abs(number) <= surely_zero) return 0.0;
  if (std::abs(number) < surely_not) verdict_.fate = PlainVerdict::Fate::near;
  return number > 0.0 ? 1.0 : -1.0;
}

/// The motion or a constraint depends on it: a rate, or a signal in a constraint of the mode.
bool PlainMode::needed(int unknown) const {
  return (unknown < model_.signature.n() && !in_part_) ||
         std::any_of(g_.begin(), g_.end(), [&](const PlainRow& row) { return contains(row, unknown); });
}

void PlainMode::set_unknowns(int k, const Eigen::VectorXd& w) {
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    series_[at(unknowns_[i])][at(k)] = w[static_cast<Eigen::Index>(i)];
}

Eigen::VectorXd PlainMode::residual(int k) const {
  Eigen::VectorXd r(static_cast<Eigen::Index>(live_.size()));
  for (Eigen::Index j = 0; j < r.size(); ++j) r[j] = coefficient(f_[at(live_[at(j)])], k);
  return r;
}

/// ∂f/∂(ẋ, y), column by column: f is linear in them.
Eigen::MatrixXd PlainMode::matrix() {
  const auto size = static_cast<Eigen::Index>(unknowns_.size());
  Eigen::MatrixXd A(static_cast<Eigen::Index>(live_.size()), size);
  set_unknowns(0, Eigen::VectorXd::Zero(size));
  const Eigen::VectorXd r = residual(0);
  for (Eigen::Index i = 0; i < size; ++i) {
    set_unknowns(0, Eigen::VectorXd::Unit(size, i));
    A.col(i) = residual(0) - r;
  }
  set_unknowns(0, Eigen::VectorXd::Ones(size));
  if (size > 0 && (residual(0) - r - A.rowwise().sum()).cwiseAbs().maxCoeff() > surely_zero)
    throw std::logic_error("equations are not linear in (der(x), y)");
  set_unknowns(0, Eigen::VectorXd::Zero(size));
  return A;
}

PlainVerdict PlainMode::check_admissibility() {
  if (!in_part_) check_invariants();
  if (!verdict_.invariants.empty()) {
    verdict_.fate = PlainVerdict::Fate::rejected;
    return verdict_;
  }
  check_constants();
  check_structure();
  if (verdict_.fate == PlainVerdict::Fate::admissible && verdict_.equations.empty()) check_solution();
  if (solved_)
    for (int row = 0; row < static_cast<int>(g_.size()); ++row)
      if (!is_constant(g_[at(row)])) check_constraint(row);
  const bool breaks =
      !verdict_.equations.empty() || !verdict_.constraints.empty() || !verdict_.undetermined.empty();
  if (breaks && verdict_.fate == PlainVerdict::Fate::admissible) verdict_.fate = PlainVerdict::Fate::rejected;
  return verdict_;
}

PlainVerdict PlainMode::check_values(const std::set<int>& equations, const std::set<int>& constraints) {
  in_part_ = true;
  orders_ = 0;
  for (int row = 0; row < static_cast<int>(f_.size()); ++row)
    if (!equations.contains(row)) f_[at(row)].clear();
  for (int row = 0; row < static_cast<int>(g_.size()); ++row)
    if (!constraints.contains(row)) g_[at(row)].clear();
  std::erase_if(live_, [&](int row) { return !equations.contains(row); });
  return check_admissibility();
}

void PlainMode::check_invariants() {
  for (std::size_t i = 0; i < model_.invariants.size(); ++i) {
    const auto value = [&](int row) { return series_[at(row)][0] != 0.0; };
    if (!model_.invariants[i].evaluate(value)) verdict_.invariants.insert(static_cast<int>(i));
  }
}

/// Rows that the mode alone fulfils or breaks.
void PlainMode::check_constants() {
  const auto value = [](const PlainRow& row) { return row.empty() ? 0.0 : row.front().weight; };
  for (int row = 0; row < static_cast<int>(f_.size()); ++row)
    if (is_constant(f_[at(row)]) && classified(value(f_[at(row)])) != 0.0) verdict_.equations.insert(row);
  for (int row = 0; row < static_cast<int>(g_.size()); ++row)
    if (is_constant(g_[at(row)]) && classified(value(g_[at(row)])) > 0.0) verdict_.constraints.insert(row);
}

/// More equations than unknowns somewhere: rows that alternating paths reach from an unmatched row.
void PlainMode::check_structure() {
  std::vector<PlainRow> rows;
  for (const int row : live_) rows.push_back(f_[at(row)]);
  const PlainPattern pattern = plain_pattern(rows, model_.signature);
  const std::vector<int> row_of = plain_matching(pattern, static_cast<int>(unknowns_.size()));
  std::set<int> over;
  std::vector<int> open;
  for (int row = 0; row < static_cast<int>(rows.size()); ++row)
    if (std::find(row_of.begin(), row_of.end(), row) == row_of.end()) open.push_back(row);
  while (!open.empty()) {
    const int row = open.back();
    open.pop_back();
    if (!over.insert(row).second) continue;
    // Equations of x and u alone ask for a restart or fewer states.
    if (pattern[at(row)].empty()) verdict_.fate = PlainVerdict::Fate::outside;
    for (const int column : pattern[at(row)]) open.push_back(row_of[at(column)]);
  }
  if (over.empty() || verdict_.fate != PlainVerdict::Fate::admissible) return;
  const Eigen::MatrixXd A = matrix();
  lu_.setThreshold(rank_threshold);
  const Eigen::VectorXd r = residual(0);
  const Eigen::VectorXd w = lu_.compute(A).solve(-r);
  const bool contradiction = (A * w + r).cwiseAbs().maxCoeff() > surely_not;
  const Eigen::MatrixXd right = lu_.kernel();
  bool needed_is_free = false;
  if (lu_.dimensionOfKernel() > 0)
    for (const Eigen::Index i : support(right)) needed_is_free = needed_is_free || needed(unknowns_[at(i)]);
  // With signals left to find, differentiation may make the rows consistent after a jump.
  if (!contradiction || needed_is_free) verdict_.fate = PlainVerdict::Fate::outside;
  for (const int row : over) verdict_.equations.insert(live_[at(row)]);
}

/// The combination of rows holds states, and that whatever they are: a constraint on them, which a jump may
/// fulfil.
bool PlainMode::fixes_states(const Eigen::VectorXd& left) {
  const Signature& signature = model_.signature;
  const double before = left.dot(residual(0));
  bool fixes = false;
  for (int i = 0; i < signature.n(); ++i) {
    double& x = series_[at(signature.state_row(i))][0];
    const double kept = x;
    x += 1.0;
    const Eigen::MatrixXd A = matrix();
    fixes = fixes || ((left.transpose() * A).cwiseAbs().maxCoeff() < surely_zero &&
                      std::abs(left.dot(residual(0)) - before) > surely_zero);
    x = kept;
  }
  set_unknowns(0, Eigen::VectorXd::Zero(static_cast<Eigen::Index>(unknowns_.size())));
  return fixes;
}

/// A w = −r for (ẋ, y), with the rows of a left null vector that −r is not orthogonal to as culprits.
void PlainMode::check_solution() {
  if (live_.empty()) {
    for (const int unknown : unknowns_)
      if (needed(unknown)) verdict_.undetermined.insert(unknown);
    solved_ = verdict_.undetermined.empty();
    return;
  }
  const Eigen::MatrixXd A = matrix();
  const Eigen::VectorXd r = residual(0);
  lu_.setThreshold(rank_threshold);
  Eigen::FullPivLU<Eigen::MatrixXd> transposed;
  transposed.setThreshold(rank_threshold);
  transposed.compute(A.transpose());
  lu_.compute(A);
  if (transposed.dimensionOfKernel() > 0) {
    const Eigen::MatrixXd left = transposed.kernel();
    const double product = left.cols() == 1 ? left.col(0).dot(r) : 0.0;
    if (left.cols() > 1) verdict_.fate = PlainVerdict::Fate::outside;  // which vectors is a matter of taste
    if (left.cols() == 1 && fixes_states(left.col(0))) verdict_.fate = PlainVerdict::Fate::outside;
    if (left.cols() == 1 && classified(product) != 0.0) {
      for (const Eigen::Index j : support(left)) verdict_.equations.insert(live_[at(j)]);
      return;
    }
  }
  if (lu_.dimensionOfKernel() > 0)
    for (const Eigen::Index i : support(lu_.kernel()))
      if (const int unknown = unknowns_[at(i)]; needed(unknown)) verdict_.undetermined.insert(unknown);
  if (!verdict_.undetermined.empty()) return;
  if (transposed.dimensionOfKernel() > 0) {
    verdict_.fate = PlainVerdict::Fate::outside;
    return;
  }
  set_unknowns(0, lu_.solve(-r));
  solved_ = true;
}

/// The next order of everything: states from the rates, inputs, then (ẋ, y) with the same matrix.
void PlainMode::extend(int k) {
  const Signature& signature = model_.signature;
  for (; known_orders_ <= k; ++known_orders_) {
    const int order = known_orders_;
    double factorial = 1.0;
    for (int i = 2; i <= order; ++i) factorial *= i;
    for (std::vector<double>& coefficients : series_) coefficients.push_back(0.0);
    for (int i = 0; i < signature.n(); ++i)
      series_[at(signature.state_row(i))][at(order)] =
          series_[at(signature.derivative_row(i))][at(order - 1)] / order;
    for (int i = 0; i < signature.m(); ++i)
      series_[at(signature.input_row(i))][at(order)] =
          instant_.pieces[at(i)].derivative(instant_.t, order) / factorial;
    if (!live_.empty()) set_unknowns(order, lu_.solve(-residual(order)));
  }
}

void PlainMode::check_constraint(int row) {
  for (int k = 0; k <= orders_; ++k) {
    extend(k);
    const double sign = classified(coefficient(g_[at(row)], k));
    if (sign > 0.0) verdict_.constraints.insert(row);
    if (sign != 0.0) return;
  }
}

}  // namespace mti::test
