#include "solvers/initialization/start_equations.hpp"

#include <algorithm>
#include <cmath>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/multilinear/cp_map.hpp"

namespace mti {

StartEquations::StartEquations(const Model& model, const ModeSystem& system, const Instant& instant)
    : model_(model),
      signature_(model.signature),
      system_(system),
      instant_(instant),
      initial_(model.initial()),
      columns_(at(system.rows_of_v(model.signature))),
      series_(system.rows_of_v(model.signature)) {
  if (initial_ != nullptr) {
    h_ = RowMap(initial_->equations);
    of_h_.resize(at(initial_->equations.signals()));
  }
  choose_unknowns();
  int deepest = 0;
  for (const Row& row : rows_) deepest = std::max(deepest, row.order);
  for (const Unknown& unknown : unknowns_) deepest = std::max(deepest, unknown.order);
  for (int k = 0; k <= deepest; ++k) series_.add_order();

  const auto size = static_cast<Eigen::Index>(unknowns_.size());
  nominal_.resize(size);
  for (Eigen::Index j = 0; j < size; ++j) {
    const int signal = unknowns_[at(j)].signal;
    nominal_[j] = signal < signature_.input_row(0)
                      ? signature_.states()[at(signal - signature_.state_row(0))].nominal
                      : signature_.algebraic()[at(signal - signature_.algebraic_row(0))].nominal;
  }
  value_.resize(static_cast<Eigen::Index>(rows_.size()));
  rounding_ = Eigen::VectorXd::Zero(value_.size());
  of_f_.resize(columns_.size());
}

void StartEquations::add_unknown(int signal, int order) {
  std::vector<int>& of_signal = columns_[at(signal)];
  of_signal.resize(std::max(of_signal.size(), at(order + 1)), -1);
  if (of_signal[at(order)] >= 0) return;
  of_signal[at(order)] = static_cast<int>(unknowns_.size());
  unknowns_.push_back({signal, order});
}

/// Every unknown of the plan up to its order, x from order 1 on, and the free x.
void StartEquations::choose_unknowns() {
  const int n = signature_.n();
  std::vector<int> highest(at(signature_.size()), -1);  // by row of x and y
  for (const SolutionBlock& block : system_.plan->blocks) {
    for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
      const int unknown = block.unknowns[j], e = block.differentiated() ? block.e[j] : 0;
      if (unknown >= signature_.size()) continue;
      highest[at(unknown < n ? unknown + n : unknown)] = unknown < n ? e + 1 : e;
    }
    for (std::size_t i = 0; i < block.equations.size(); ++i)
      for (int k = 0; k <= (block.differentiated() ? block.c[i] : 0); ++k)
        rows_.push_back({block.equations[i], k});
  }
  // One stage more has as many rows as unknowns, and gives the slopes of x that the mode finds from its equations.
  bool needs_more = false;
  std::vector<char> held(at(signature_.size()), 0);
  if (initial_ != nullptr) {
    const SparseColumns& S = initial_->equations.S();
    for (int k = 0; k < S.outerSize(); ++k)
      for (SparseColumns::InnerIterator factor(S, k); factor; ++factor) {
        const int row = initial_->original(static_cast<int>(factor.row()));
        held[at(row)] = 1;
        needs_more = needs_more || (row < n && highest[at(row + n)] == 0);
      }
  }
  if (needs_more) {
    for (int& order : highest)
      if (order >= 0) ++order;
    std::vector<Row> more;
    for (const SolutionBlock& block : system_.plan->blocks)
      for (std::size_t i = 0; i < block.equations.size(); ++i)
        more.push_back({block.equations[i], (block.differentiated() ? block.c[i] : 0) + 1});
    rows_.insert(rows_.end(), more.begin(), more.end());
  }
  for (int s = 0; s < n; ++s) {
    const int row = signature_.state_row(s);
    const bool is_absent = highest[at(row)] < 0 && held[at(row)] == 0;
    if (model_.has_free_start(s) && !is_absent) add_unknown(row, 0);
    for (int k = 1; k <= highest[at(row)]; ++k) add_unknown(row, k);
  }
  for (int i = 0; i < signature_.p(); ++i)
    for (int k = 0; k <= highest[at(signature_.algebraic_row(i))]; ++k)
      add_unknown(signature_.algebraic_row(i), k);
  if (initial_ == nullptr) return;
  for (int j = 0; j < initial_->equations.rows(); ++j) rows_.push_back({j, -1});
}

std::pair<int, double> StartEquations::column(int signal, int order) const {
  const bool is_slope = signal < signature_.n();
  const std::vector<int>& of_signal = columns_[at(is_slope ? signal + signature_.n() : signal)];
  const int own = is_slope ? order + 1 : order;
  return {at(own) < of_signal.size() ? of_signal[at(own)] : -1, is_slope ? own : 1.0};
}

Eigen::VectorXd StartEquations::guess() const {
  Eigen::VectorXd w = Eigen::VectorXd::Zero(nominal_.size());
  for (Eigen::Index j = 0; j < w.size(); ++j) {
    const auto [signal, order] = unknowns_[at(j)];
    if (order == 0) w[j] = instant_.v[at(signal)];
    if (order == 1 && signal < signature_.input_row(0)) w[j] = instant_.v[at(signal - signature_.n())];
  }
  return w;
}

void StartEquations::enter(const Eigen::VectorXd& w) {
  const int n = signature_.n();
  for (std::size_t i = 0; i < at(signature_.size()); ++i) {
    series_.at(static_cast<int>(i), 0).value = static_cast<int>(i) < n ? 0.0 : instant_.v[i];
  }
  const std::span<const DifferentiatedInput> derivatives = input_derivatives(system_);
  for (int k = 0; k < series_.orders(); ++k) {
    for (int i = 0; i < signature_.m(); ++i) {
      const InputPiece& piece = instant_.pieces[at(i)];
      series_.at(signature_.input_row(i), k).value =
          k == 0 ? piece.value(instant_.t) : piece.derivative(instant_.t, k) / factorial(k);
    }
    for (std::size_t i = 0; i < derivatives.size(); ++i)
      series_.at(signature_.size() + static_cast<int>(i), k).value =
          derivatives[i].value(instant_.t, instant_.pieces, k) / factorial(k);
  }
  for (std::size_t j = 0; j < unknowns_.size(); ++j) {
    const auto [signal, order] = unknowns_[j];
    const double value = w[static_cast<Eigen::Index>(j)];
    series_.at(signal, order).value = value;
    if (order > 0 && signal < signature_.input_row(0))
      series_.at(signal - n, order - 1).value = order * value;
  }
}

bool StartEquations::evaluate(const Eigen::VectorXd& w) {
  enter(w);
  for (std::size_t i = 0; i < of_f_.size(); ++i) of_f_[i] = series_.at(static_cast<int>(i), 0).value;
  jacobian_.clear();
  for (std::size_t row = 0; row < rows_.size(); ++row)
    rows_[row].is_initial() ? evaluate_initial(static_cast<int>(row))
                            : evaluate_equation(static_cast<int>(row));
  return value_.allFinite() &&
         std::ranges::all_of(jacobian_, [](const auto& entry) { return std::isfinite(entry.value()); });
}

/// ∂(f_i)_k / ∂(v_j)_l is the coefficient k − l of ∂f_i/∂v_j.
void StartEquations::evaluate_equation(int row) {
  const auto [equation, k] = rows_[at(row)];
  value_[row] = system_.f.coefficient(equation, series_, k).value;
  if (k == 0) rounding_[row] = start_rounding * system_.f.magnitude(equation, of_f_);
  add_to_jacobian(row);
}

void StartEquations::add_to_jacobian(int row) {
  for_slopes(row, [&](int signal, int l, double slope) {
    const auto [place, factor] = column(signal, l);
    if (place >= 0) jacobian_.emplace_back(row, place, slope * factor);
  });
}

void StartEquations::for_slopes(int row, const UseSlope& use) const {
  const auto [equation, k] = rows_[at(row)];
  if (rows_[at(row)].is_initial())
    return h_.gradient(equation, of_h_,
                       [&](int signal, double slope) { use(initial_->original(signal), 0, slope); });
  for (int l = 0; l <= k; ++l)
    system_.f.gradient_coefficient(equation, series_, k - l,
                                   [&](int signal, double slope) { use(signal, l, slope); });
}

void StartEquations::evaluate_initial(int row) {
  const int equation = rows_[at(row)].equation;
  for (std::size_t i = 0; i < of_h_.size(); ++i)
    of_h_[i] = series_.at(initial_->original(static_cast<int>(i)), 0).value;
  value_[row] = h_.value(equation, of_h_);
  rounding_[row] = start_rounding * h_.magnitude(equation, of_h_);
  add_to_jacobian(row);
}

std::vector<double> StartEquations::v() const {
  std::vector<double> v(instant_.v.begin(), instant_.v.begin() + signature_.size());
  for (int i = 0; i < signature_.size(); ++i) v[at(i)] = series_.at(i, 0).value;
  return v;
}

}  // namespace mti
