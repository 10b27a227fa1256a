#include "solvers/sensitivities/linearised_mode.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"
#include "solvers/integration/dummy_derivatives.hpp"

namespace mti {
namespace {

std::vector<double> units(const Accuracy& accuracy, int rows) {
  std::vector<double> unit = accuracy.absolute;
  unit.resize(at(rows), 1.0);
  for (double& size : unit)
    if (size <= 0.0) size = 1.0;
  return unit;
}

}  // namespace

LinearisedMode::LinearisedMode(const Model& model, const Accuracy& accuracy,
                               std::shared_ptr<const ModeSystem> system, const Outputs& outputs,
                               std::span<const ParameterDerivative> parameters)
    : model_(model),
      signature_(model.signature),
      system_(std::move(system)),
      parameters_(parameters),
      derivatives_(model, outputs, *system_, parameters),
      unit_(units(accuracy, system_->rows_of_v(signature_))),
      duration_(accuracy.resolution / accuracy.rtol),
      v_(at(system_->rows_of_v(signature_)), 0.0),
      series_(system_->rows_of_v(signature_)) {
  for (const SolutionBlock& block : system_->plan->blocks)
    for (std::size_t i = 0; i < block.equations.size(); ++i)
      for (int order = 0; order <= (block.differentiated() ? block.c[i] : 0); ++order) {
        equations_.push_back({block.equations[i], order});
        highest_ = std::max(highest_, order);
      }
  for (int order = 0; order <= highest_; ++order) series_.add_order();
  constant_ = constant_signals();
  independent_ = independent_signals();
  constant_signals_suffice_ = slopes_are_constant(constant_);
  for (int row = signature_.algebraic_row(0); row < signature_.binary_row(0); ++row) {
    if (constant_[at(row)] == 0) continue;
    std::vector<char> inputs = constant_;
    std::fill(inputs.begin() + signature_.algebraic_row(0), inputs.end(), 0);
    constant_inputs_suffice_ = slopes_are_constant(inputs);
    return;
  }
  constant_inputs_suffice_ = constant_signals_suffice_;
}

void LinearisedMode::look_for_constants(const Eigen::MatrixXd& w_p) {
  constexpr double nothing = 1e-14;
  is_constant_ = constant_inputs_suffice_ || constant_signals_suffice_;
  if (constant_inputs_suffice_ || !constant_signals_suffice_) return;
  for (int row = signature_.algebraic_row(0); row < signature_.binary_row(0); ++row)
    if (constant_[at(row)] != 0)
      for (Eigen::Index p = 0; p < w_p.cols(); ++p)
        if (std::abs(w_p(unknowns_.place(row, 0).slot, p)) > nothing * w_p.col(p).cwiseAbs().maxCoeff())
          is_constant_ = false;
}

bool LinearisedMode::choose_anew() {
  constexpr double least_quality = 0.35;
  const ModeSystem& system = *system_;
  if (!system.plan->differentiated() ||
      quality(selection_, system.f, *system.plan, signature_.n(), v_, unit_) >= least_quality)
    return false;
  DummyDerivatives selection = select_states(system.f, *system.plan, signature_.n(), v_, unit_, duration_);
  if (selection == selection_) return false;
  selection_ = std::move(selection);
  arrange();
  return true;
}

void LinearisedMode::begin(double t, std::vector<InputPiece> pieces, std::span<const double> v) {
  pieces_ = std::move(pieces);
  moving_.clear();
  for (std::size_t p = 0; p < parameters_.size(); ++p)
    for (std::size_t i = 0; i < parameters_[p].inputs.size(); ++i)
      if (!parameters_[p].inputs[i].is_zero())
        moving_.push_back({p, static_cast<int>(i), parameters_[p].inputs[i].piece(t)});
  std::copy_n(v.begin(), signature_.size(), v_.begin());
  auto row = at(signature_.size());
  for (const DifferentiatedInput& derivative : input_derivatives(*system_))
    v_[row++] = derivative.value(t, pieces_);
  held_ = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(system_->undetermined.size()),
                                static_cast<Eigen::Index>(parameters_.size()));
  if (!system_->plan->differentiated()) {
    if (!arranged_) arrange();
    return;
  }
  DummyDerivatives selection =
      select_states(system_->f, *system_->plan, signature_.n(), v_, unit_, duration_);
  if (arranged_ && selection == selection_) return;
  selection_ = std::move(selection);
  arrange();
}

/// Which rates occur, by structure.
void LinearisedMode::arrange() {
  unknowns_ = SegmentUnknowns(signature_, system_->sliding, selection_);
  differential_.assign(at(unknowns_.size()), 0);
  for (const Equation& equation : equations_)
    for (const RowMap::Term& term : system_->f.terms(equation.row))
      for (const RowMap::Factor& factor : system_->f.factors(term.column))
        for (int order = 0; order <= equation.order; ++order) {
          if (input_of(factor.signal).first >= 0) continue;
          const SegmentUnknowns::Place place = unknowns_.place(factor.signal, order);
          if (place.slot >= 0 && place.is_rate) differential_[at(place.slot)] = 1;
        }
  for (const SegmentUnknowns::Tie& tie : unknowns_.ties()) differential_[at(tie.rate_of)] = 1;
  arranged_ = true;
}

int LinearisedMode::rows() const {
  return static_cast<int>(equations_.size() + unknowns_.ties().size() + system_->undetermined.size());
}

/// Constant inputs, and algebraic signals whose equation holds nothing else that varies, in solving order.
std::vector<char> LinearisedMode::constant_signals() const {
  std::vector<char> constant(v_.size(), 0);
  for (int i = 0; i < signature_.m(); ++i)
    if (std::holds_alternative<ConstantInput>(model_.inputs[at(i)].form()))
      constant[at(signature_.input_row(i))] = 1;
  if (!system_->plan->plain()) return constant;
  for (const SolutionBlock& block : system_->plan->blocks) {
    const int unknown = block.unknowns.front();
    if (block.unknowns.size() > 1 || unknown < signature_.algebraic_row(0)) continue;
    bool varies = false;
    for (const RowMap::Term& term : system_->f.terms(block.equations.front()))
      for (const RowMap::Factor& factor : system_->f.factors(term.column))
        varies = varies || (factor.signal != unknown && constant[at(factor.signal)] == 0);
    if (!varies) constant[at(unknown)] = 1;
  }
  return constant;
}

/// Constant signals whose equation, and what it holds, no parameter occurs in, in solving order.
std::vector<char> LinearisedMode::independent_signals() const {
  std::vector<char> independent(v_.size(), 0);
  for (int i = 0; i < signature_.m(); ++i) {
    const int row = signature_.input_row(i);
    const bool moves = std::ranges::any_of(parameters_, [&](const ParameterDerivative& parameter) {
      return !parameter.inputs[at(i)].is_zero();
    });
    independent[at(row)] = constant_[at(row)] != 0 && !moves ? 1 : 0;
  }
  for (const SolutionBlock& block : system_->plan->blocks) {
    const int unknown = block.unknowns.front(), equation = block.equations.front();
    if (unknown < signature_.algebraic_row(0) || constant_[at(unknown)] == 0) continue;
    bool depends = false;
    for (std::size_t p = 0; p < parameters_.size(); ++p)
      depends = depends || derivatives_.occurs(p, equation);
    for (const RowMap::Term& term : system_->f.terms(equation))
      for (const RowMap::Factor& factor : system_->f.factors(term.column))
        depends = depends || (factor.signal != unknown && independent[at(factor.signal)] == 0);
    independent[at(unknown)] = depends ? 0 : 1;
  }
  return independent;
}

/// Every column holds at most one signal that varies, linearly.
bool LinearisedMode::slopes_are_constant(std::span<const char> constant) const {
  for (const Equation& equation : equations_)
    for (const RowMap::Term& term : system_->f.terms(equation.row)) {
      const auto factors = system_->f.factors(term.column);
      const auto varying = std::ranges::count_if(
          factors, [&](const RowMap::Factor& factor) { return constant[at(factor.signal)] == 0; });
      const int most = system_->f.function_of(term.column) != nullptr ? 0 : 1;
      if (varying > most) return false;
    }
  return true;
}

std::pair<int, int> LinearisedMode::input_of(int signal) const {
  const int input = signal - signature_.input_row(0);
  if (input >= 0 && input < signature_.m()) return {input, 0};
  if (signal < signature_.size()) return {-1, 0};
  const DifferentiatedInput& derivative = input_derivatives(*system_)[at(signal - signature_.size())];
  return {derivative.input, derivative.order};
}

double LinearisedMode::input_derivative(std::size_t parameter, int input, double t, int k) const {
  for (const MovingInput& moving : moving_)
    if (moving.parameter == parameter && moving.input == input) return moving.piece.derivative(t, k);
  return 0.0;
}

void LinearisedMode::read_beginning(Motion& motion, std::vector<double>& w, std::vector<double>& wp) const {
  w.resize(at(size()));
  wp.resize(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    const auto [row, order] = unknowns_.slots()[i];
    w[i] = order == 0 ? motion.v()[at(row)] : factorial(order) * motion.signal(row, order).value;
    wp[i] = factorial(order + 1) * motion.signal(row, order + 1).value;
  }
}

void LinearisedMode::load(double t, std::span<const double> w, std::span<const double> wp) {
  const auto enter = [&](int row) {
    const SegmentUnknowns::Place place = unknowns_.place(row, 0);
    v_[at(row)] = place.is_rate ? wp[at(place.slot)] : w[at(place.slot)];
  };
  for (int i = 0; i < 2 * signature_.n(); ++i) enter(i);
  for (int i = 0; i < signature_.p(); ++i) enter(signature_.algebraic_row(i));
  for (const int row : system_->sliding) enter(row);
  for (int i = 0; i < signature_.m(); ++i)
    if (!signature_.inputs()[at(i)].binary) v_[at(signature_.input_row(i))] = pieces_[at(i)].value(t);
  auto row = at(signature_.size());
  for (const DifferentiatedInput& derivative : input_derivatives(*system_))
    v_[row++] = derivative.value(t, pieces_);
  if (highest_ > 0) fill_series(t, w, wp);
}

void LinearisedMode::fill_series(double t, std::span<const double> w, std::span<const double> wp) {
  for (int signal = 0; signal < static_cast<int>(v_.size()); ++signal) {
    series_.at(signal, 0).value = v_[at(signal)];
    const auto [input, order] = input_of(signal);
    for (int k = 1; k <= highest_; ++k) {
      double value = 0.0;
      if (input >= 0) {
        value = signature_.inputs()[at(input)].binary ? 0.0 : pieces_[at(input)].derivative(t, order + k);
      } else if (const SegmentUnknowns::Place place = unknowns_.place(signal, k); place.slot >= 0) {
        value = place.is_rate ? wp[at(place.slot)] : w[at(place.slot)];
      }
      series_.at(signal, k).value = value / factorial(k);
    }
  }
}

void LinearisedMode::evaluate(double t, std::span<const double> w, std::span<const double> wp,
                              LinearPoint& point) {
  load(t, w, wp);
  point.E.clear();
  point.A.clear();
  point.B.setZero(rows(), static_cast<Eigen::Index>(parameters_.size()));
  int row = 0;
  for (const Equation& equation : equations_) add_row(equation, row++, t, point);
  for (const SegmentUnknowns::Tie& tie : unknowns_.ties()) {
    point.E.emplace_back(row, tie.rate_of, 1.0);
    point.A.emplace_back(row++, tie.value, -1.0);
  }
  for (std::size_t i = 0; i < system_->undetermined.size(); ++i) {
    point.A.emplace_back(row, unknowns_.place(system_->undetermined[i], 0).slot, 1.0);
    point.B.row(row++) = -held_.row(static_cast<Eigen::Index>(i));
  }
}

void LinearisedMode::evaluate_known(double t, std::span<const double> w, std::span<const double> wp,
                                    LinearPoint& point) {
  load(t, w, wp);
  point.B.setZero(rows(), static_cast<Eigen::Index>(parameters_.size()));
  int row = 0;
  for (const Equation& equation : equations_) add_known(equation, row++, t, point);
  row += static_cast<int>(unknowns_.ties().size());
  for (Eigen::Index i = 0; i < held_.rows(); ++i) point.B.row(row++) = -held_.row(i);
}

/// D^k f_i: ∂D^k f_i/∂v_j^(l) = k!/l! × (Taylor coefficient k − l of ∂f_i/∂v_j).
void LinearisedMode::for_slopes(const Equation& equation,
                                const std::function<void(int, int, double)>& use) const {
  const int k = equation.order;
  if (k == 0) {
    system_->f.gradient(equation.row, v_, [&](int signal, double slope) { use(signal, 0, slope); });
    return;
  }
  for (int order = 0; order <= k; ++order)
    system_->f.gradient_coefficient(equation.row, series_, k - order, [&](int signal, double slope) {
      use(signal, order, factorial(k) / factorial(order) * slope);
    });
}

void LinearisedMode::add_row(const Equation& equation, int row, double t, LinearPoint& point) const {
  const auto enter = [&](int signal, int order, double slope) {
    if (slope == 0.0 || input_of(signal).first >= 0) return;
    // A function may stand for good where its slope is infinite, as sqrt(0): what is fixed has no derivative to multiply.
    if (!std::isfinite(slope) && independent_[at(signal)] != 0) return;
    const SegmentUnknowns::Place place = unknowns_.place(signal, order);
    if (place.slot >= 0) (place.is_rate ? point.E : point.A).emplace_back(row, place.slot, slope);
  };
  for_slopes(equation, enter);
  add_known(equation, row, t, point);
}

void LinearisedMode::add_known(const Equation& equation, int row, double t, LinearPoint& point) const {
  const int k = equation.order;
  const auto enter = [&](int signal, int order, double slope) {
    const auto [input, of_input] = input_of(signal);
    if (slope == 0.0 || input < 0) return;
    for (const MovingInput& moving : moving_)
      if (moving.input == input)
        point.B(row, static_cast<Eigen::Index>(moving.parameter)) +=
            slope * moving.piece.derivative(t, of_input + order);
  };
  if (!moving_.empty()) for_slopes(equation, enter);
  for (std::size_t p = 0; p < parameters_.size(); ++p)
    if (!derivatives_.is_empty(p))
      point.B(row, static_cast<Eigen::Index>(p)) += k == 0
                                                        ? derivatives_.equation(p, equation.row, v_)
                                                        : derivatives_.equation(p, equation.row, series_, k);
}

Eigen::MatrixXd LinearisedMode::of_signals(double t, const Eigen::MatrixXd& w_p,
                                           const Eigen::MatrixXd& wp_p) const {
  Eigen::MatrixXd of_v = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(v_.size()),
                                               static_cast<Eigen::Index>(parameters_.size()));
  const auto enter = [&](int row) {
    const SegmentUnknowns::Place place = unknowns_.place(row, 0);
    of_v.row(row) = place.is_rate ? wp_p.row(place.slot) : w_p.row(place.slot);
  };
  for (int i = 0; i < 2 * signature_.n(); ++i) enter(i);
  for (int i = 0; i < signature_.p(); ++i) enter(signature_.algebraic_row(i));
  for (const int row : system_->sliding) enter(row);
  for (const MovingInput& moving : moving_)
    of_v(signature_.input_row(moving.input), static_cast<Eigen::Index>(moving.parameter)) =
        moving.piece.value(t);
  auto row = static_cast<Eigen::Index>(signature_.size());
  for (const DifferentiatedInput& derivative : input_derivatives(*system_)) {
    for (const MovingInput& moving : moving_)
      if (moving.input == derivative.input)
        of_v(row, static_cast<Eigen::Index>(moving.parameter)) = moving.piece.derivative(t, derivative.order);
    ++row;
  }
  return of_v;
}

}  // namespace mti
