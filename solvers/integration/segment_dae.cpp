#include "solvers/integration/segment_dae.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "mti/common/at.hpp"
#include "mti/common/rounding.hpp"
#include "mti/model/freeze.hpp"
#include "mti/model/idle_definitions.hpp"
#include "mti/multilinear/cp_rows.hpp"

namespace mti {
namespace {

bool are_finite(std::span<const double> numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

std::vector<FixedSignal> constant_inputs(const Model& model) {
  std::vector<FixedSignal> constants;
  for (int i = 0; i < model.signature.m(); ++i)
    if (const auto* input = std::get_if<ConstantInput>(&model.inputs[at(i)].form()))
      constants.push_back({model.signature.input_row(i), input->value});
  return constants;
}

bool holds(const std::vector<FixedSignal>& fixed, int signal) {
  return std::any_of(fixed.begin(), fixed.end(),
                     [&](const FixedSignal& other) { return other.row == signal; });
}

/// Algebraic signals whose equation holds nothing else that varies in this mode, in solving order.
std::vector<FixedSignal> constants_of_mode(const Model& model, const ModeSystem& system) {
  std::vector<FixedSignal> constants;
  if (!system.plan->plain() || system.extended) return constants;
  std::vector<FixedSignal> known = constant_inputs(model);
  std::vector<double> v(at(model.signature.size()), 0.0);
  for (const FixedSignal& input : known) v[at(input.row)] = input.value;
  for (const SolutionBlock& block : system.plan->blocks) {
    const int unknown = block.unknowns.front(), equation = block.equations.front();
    if (block.unknowns.size() > 1 || !block.linear || unknown < model.signature.algebraic_row(0)) continue;
    double slope = 0.0;
    bool varies = false;
    system.f.gradient(equation, v, [&](int signal, double part) {
      if (signal == unknown) slope += part;
      varies = varies || (signal != unknown && !holds(known, signal));
    });
    if (varies || slope == 0.0) continue;
    v[at(unknown)] = 0.0;
    const double value = -system.f.value(equation, v) / slope;
    if (!std::isfinite(value)) continue;
    v[at(unknown)] = value;
    constants.push_back({unknown, value});
    known.push_back({unknown, value});
  }
  return constants;
}

/// The equations of all blocks except those that determine constants.
std::vector<int> solved_equations(const ModeSystem& system, const std::vector<FixedSignal>& constants) {
  std::vector<int> equations;
  for (const SolutionBlock& block : system.plan->blocks)
    if (!holds(constants, block.unknowns.front()))
      equations.insert(equations.end(), block.equations.begin(), block.equations.end());
  return equations;
}

/// The equations that are solved, in the order of the blocks, with constant inputs and signals folded in.
CpKernel kernel_of_mode(const Model& model, const ModeSystem& system,
                        const std::vector<FixedSignal>& constants) {
  std::vector<FixedSignal> fixed = constant_inputs(model);
  fixed.insert(fixed.end(), constants.begin(), constants.end());
  if (system.extended)
    return CpKernel(select_rows(freeze(system.extended->f, fixed), solved_equations(system, constants)));
  const std::vector<FixedSignal> of_mode = fixed_signals(model.signature, system.mode);
  fixed.insert(fixed.end(), of_mode.begin(), of_mode.end());
  // What the mode does without may have no value at the constants, such as log(0).
  const CpMap f = system.idle.empty() ? model.f() : without_definitions(model.f(), system.idle);
  return CpKernel(select_rows(freeze(f, fixed), solved_equations(system, constants)));
}

/// With a kernel of its own the rows are in order; otherwise an equation keeps its row where that is
/// possible, so that modes share a pattern.
std::vector<int> rows_of_kernel(const ModeSystem& system, const std::vector<FixedSignal>& constants,
                                bool whole) {
  const std::vector<int> solved = solved_equations(system, constants);
  std::vector<int> rows(whole ? at(system.f.rows()) : solved.size(), -1);
  if (whole)
    for (const int equation : solved) rows[at(equation)] = 0;
  int next = 0;
  for (int& row : rows)
    if (!whole || row == 0) row = next++;
  return rows;
}

/// The tolerance of each entry, for derivatives among the unknowns.
std::vector<double> sizes(const Accuracy& accuracy, std::span<const double> v) {
  std::vector<double> scale(v.size(), 1.0);
  for (std::size_t row = 0; row < v.size(); ++row)
    if (const double size = accuracy.of(static_cast<int>(row), v[row]); size > 0.0) scale[row] = size;
  return scale;
}

/// A step of "size one" in each entry, for comparing pivots: its nominal, and not its present size, for that
/// may pass through 0, and positions must be chosen like their velocities.
std::vector<double> units(const Accuracy& accuracy) {
  std::vector<double> unit = accuracy.absolute;
  for (double& size : unit)
    if (size <= 0.0) size = 1.0;
  return unit;
}

}  // namespace

bool WholeModelKernels::suit(const Model& model) {
  constexpr int many_columns = 2000;
  return model.columns() > many_columns;
}

WholeModelKernels::WholeModelKernels(const Model& model)
    : f(freeze(model.f(), constant_inputs(model))), g(model.g()) {}

SegmentDae::SegmentDae(const Model& model, std::shared_ptr<const ModeSystem> mode_system,
                       const Accuracy& accuracy, std::shared_ptr<const WholeModelKernels> whole)
    : model_(model),
      signature_(model.signature),
      mode_system_(std::move(mode_system)),
      accuracy_(accuracy),
      whole_(mode_system_->extended ? nullptr : std::move(whole)),
      held_(mode_system_->undetermined),
      held_values_(held_.size()),
      unit_(units(accuracy)),
      v_(at(mode_system_->rows_of_v(signature_))) {
  for (int i = 0; i < signature_.m(); ++i)
    if (!std::holds_alternative<ConstantInput>(model.inputs[at(i)].form()) &&
        !signature_.inputs()[at(i)].binary)
      varying_inputs_.push_back(i);
  dae_.residual = [this](double t, auto w, auto wp, auto F) { return residual(t, w, wp, F); };
  dae_.jacobian = [this](double t, double alpha, auto w, auto wp, auto J) {
    return jacobian(t, alpha, w, wp, J);
  };
}

void SegmentDae::make_kernel() {
  if (whole_) {
    kernel_ = &whole_->f;
  } else {
    constants_ = constants_of_mode(model_, *mode_system_);
    own_kernel_ = kernel_of_mode(model_, *mode_system_, constants_);
    kernel_ = &own_kernel_;
  }
  for (const FixedSignal& constant : constants_) {
    held_.push_back(constant.row);
    held_values_.push_back(constant.value);
  }
  row_of_ = rows_of_kernel(*mode_system_, constants_, whole_ != nullptr);
  solved_rows_ = static_cast<int>(std::ranges::count_if(row_of_, [](int row) { return row >= 0; }));
  workspace_ = kernel_->workspace();
  f_.assign(at(kernel_->rows()), 0.0);
  J_.assign(kernel_->pattern().nonzeros(), 0.0);
}

void SegmentDae::prepare_equations() {
  if (kernel_ == nullptr) make_kernel();
  if (laid_out_) return;
  layout_ = JacobianLayout(signature_, unknowns_, kernel_->pattern(),
                           {row_of_, solved_rows_, differentiated_, held_});
  dae_.pattern = layout_.pattern();
  dae_.differential = layout_.differential();
  laid_out_ = true;
}

void SegmentDae::set_segment(double t, InputPieces pieces, std::span<const double> v) {
  pieces_ = std::move(pieces);
  for (std::size_t i = 0; i < mode_system_->undetermined.size(); ++i) held_values_[i] = v[at(held_[i])];
  take_point(t, v);
  if (!mode_system_->plan->differentiated()) {
    if (!arranged_) arrange();
    return;
  }
  scale_ = sizes(accuracy_, v);
  DummyDerivatives selection = select_states(mode_system_->f, *mode_system_->plan, signature_.n(), v_, unit_,
                                             accuracy_.resolution / accuracy_.rtol);
  if (arranged_ && selection == selection_) return;
  selection_ = std::move(selection);
  arrange();
}

void SegmentDae::separate_small_differences(std::span<const double> v, std::span<const double> rate,
                                            double duration) {
  if (whole_) return;
  take(SmallDifferences::find(*mode_system_, signature_, accuracy_, v, rate, duration), v);
}

void SegmentDae::join_small_differences() { take(std::nullopt, v_); }

void SegmentDae::take(std::optional<SmallDifferences> found, std::span<const double> v) {
  const bool had = std::exchange(differences_, std::move(found)).has_value();
  if (!had && !differences_) return;
  scale_ = sizes(accuracy_, v);
  DummyDerivatives selection = differences_ ? differences_->selection : DummyDerivatives{};
  if (had != differences_.has_value() || selection != selection_) {
    selection_ = std::move(selection);
    arrange();
  }
  dae_.relaxation.assign(differences_ ? at(unknowns_.size()) : 0U, 0.0);
  // A constraint may compare one with zero far below its tolerance.
  if (!differences_ || mode_system_->live_constraints.empty()) return;
  for (const auto [row, relaxation] : differences_->small)
    dae_.relaxation[at(unknowns_.place(row, 0).slot)] = relaxation;
}

bool SegmentDae::has_more_small_differences(std::span<const double> v, std::span<const double> rate,
                                            double duration) const {
  if (whole_) return false;
  const std::optional<SmallDifferences> found =
      SmallDifferences::find(*mode_system_, signature_, accuracy_, v, rate, duration);
  return found && found->small.size() > (differences_ ? differences_->small.size() : 0);
}

bool SegmentDae::is_worn_out(double t, std::span<const double> v) {
  constexpr double least_quality = 0.35;
  if (!mode_system_->plan->differentiated()) return false;
  take_point(t, v);
  return quality(selection_, mode_system_->f, *mode_system_->plan, signature_.n(), v_, unit_) < least_quality;
}

/// v of the model, and after it the derivatives of inputs that the mode's equations hold.
void SegmentDae::take_point(double t, std::span<const double> v) {
  std::copy_n(v.begin(), signature_.size(), v_.begin());
  enter_input_derivatives(t);
}

void SegmentDae::enter_input_derivatives(double t) {
  auto row = at(signature_.size());
  for (const DifferentiatedInput& derivative : input_derivatives(*mode_system_))
    v_[row++] = derivative.value(t, pieces_);
}

/// Unknowns and differentiated rows of the DAE for the present selection.
void SegmentDae::arrange() {
  unknowns_ = SegmentUnknowns(signature_, mode_system_->sliding, selection_);
  differentiated_ =
      DifferentiatedRows(mode_system_->f, plan(), signature_, unknowns_, input_derivatives(*mode_system_));
  differentiated_J_.assign(differentiated_.entries().size(), 0.0);
  dae_.absolute.clear();
  for (const SegmentUnknowns::Slot& slot : unknowns_.slots())
    dae_.absolute.push_back(accuracy_.absolute[at(slot.row)]);
  integrated_.assign(dae_.absolute.size(), 0);
  for (const SegmentUnknowns::Tie& tie : unknowns_.ties()) integrated_[at(tie.value)] = 1;
  arranged_ = true;
  laid_out_ = false;
}

void SegmentDae::set_length_of_steps(double h) {
  for (std::size_t i = 0; i < dae_.absolute.size(); ++i) {
    const auto [row, order] = unknowns_.slots()[i];
    const bool rate = row < signature_.state_row(0);
    if (!rate && order == 0) continue;
    const int signal = rate ? row + signature_.n() : row;
    // Errors of integrated unknowns accumulate.
    constexpr double part_of_one_step = 0.01;
    dae_.absolute[i] = scale_[at(signal)] / std::pow(h, rate ? order + 1 : order) *
                       (integrated_[i] != 0 ? part_of_one_step : 1.0);
  }
}

void SegmentDae::point(double t, std::span<const double> w, std::span<const double> wp,
                       std::span<double> v) const {
  if (!plan().differentiated()) {
    const auto n = static_cast<std::ptrdiff_t>(signature_.n()),
               p = static_cast<std::ptrdiff_t>(signature_.p());
    std::copy(wp.begin(), wp.begin() + n, v.begin());
    std::copy(w.begin(), w.begin() + n, v.begin() + signature_.state_row(0));
    std::copy(w.begin() + n, w.begin() + n + p, v.begin() + signature_.algebraic_row(0));
    for (std::size_t i = 0; i < mode_system_->sliding.size(); ++i)
      v[at(mode_system_->sliding[i])] = w[at(n + p) + i];
  } else {
    const auto enter = [&](int row) {
      const SegmentUnknowns::Place place = unknowns_.place(row, 0);
      const auto slot = at(place.slot);
      v[at(row)] = place.is_rate ? wp[slot] : w[slot];
    };
    for (int i = 0; i < 2 * signature_.n(); ++i) enter(i);
    for (int i = 0; i < signature_.p(); ++i) enter(signature_.algebraic_row(i));
    for (const int row : mode_system_->sliding) enter(row);
  }
  for (const int i : varying_inputs_) v[at(signature_.input_row(i))] = pieces_[at(i)].value(t);
}

void SegmentDae::rate(double t, std::span<const double> wp, std::span<const double> wpp,
                      std::span<double> rate) const {
  point(t, wp, wpp, rate);
  for (const int i : varying_inputs_) rate[at(signature_.input_row(i))] = pieces_[at(i)].derivative(t, 1);
}

void SegmentDae::load(double t, std::span<const double> w, std::span<const double> wp) {
  point(t, w, wp, v_);
  enter_input_derivatives(t);
  if (differentiated_.rows() > 0) differentiated_.load(t, v_, w, wp, pieces_);
}

bool SegmentDae::residual(double t, std::span<const double> w, std::span<const double> wp,
                          std::span<double> F) {
  load(t, w, wp);
  kernel_->value(v_, f_);
  for (std::size_t i = 0; i < row_of_.size(); ++i)
    if (row_of_[i] >= 0) F[at(row_of_[i])] = f_[i];
  auto row = at(solved_rows_);
  differentiated_.value(mode_system_->f, F.subspan(row, at(differentiated_.rows())));
  row += at(differentiated_.rows());
  for (const SegmentUnknowns::Tie& tie : unknowns_.ties()) F[row++] = wp[at(tie.rate_of)] - w[at(tie.value)];
  for (std::size_t i = 0; i < held_values_.size(); ++i) F[row++] = v_[at(held_[i])] - held_values_[i];
  return true;
}

/// ε·|∂F/∂u|·(|u| + |u̇ t|): t itself is known to ε|t| only.
void SegmentDae::note_rounding_of_inputs(double t) {
  if (varying_inputs_.empty()) return;
  dae_.rounding.assign(at(unknowns_.size()), 0.0);
  const SparsePattern& source = kernel_->pattern();
  for (const int i : varying_inputs_) {
    const auto column = at(signature_.input_row(i));
    const double off =
        machine_epsilon * (std::abs(v_[column]) + std::abs(pieces_[at(i)].derivative(t, 1) * t));
    for (auto place = at(source.column_start[column]); place < at(source.column_start[column + 1]); ++place)
      if (const int row = row_of_[at(source.row[place])]; row >= 0)
        dae_.rounding[at(row)] += std::abs(J_[place]) * off;
  }
}

bool SegmentDae::jacobian(double t, double alpha, std::span<const double> w, std::span<const double> wp,
                          std::span<double> J) {
  load(t, w, wp);
  kernel_->value_and_jacobian(v_, f_, J_, workspace_);
  note_rounding_of_inputs(t);
  differentiated_.jacobian(mode_system_->f, differentiated_J_);
  layout_.fill(alpha, J_, differentiated_J_, J);
  // At the end of the domain of a function: a shorter step is tried.
  return model_.is_multilinear() || are_finite(J);
}

}  // namespace mti
