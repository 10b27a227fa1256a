#include "solvers/series/series_coefficients.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mti/common/rounding.hpp"

namespace mti {

SeriesCoefficients::SeriesCoefficients(const SeriesProgram& program, const Accuracy& accuracy)
    : program_(&program),
      accuracy_(&accuracy),
      interior_(at(program.places()), 0.0),
      slopes_(program.blocks().size(), 0.0),
      needs_refinement_(program.blocks().size(), 0),
      factorised_(program.blocks().size(), 0),
      // Order 24 of what comes latest, and then what comes earliest has: x is one order ahead of its slope.
      stride_(at(highest_order + 1 + std::max(program.largest_offset(), 1) - program.smallest_offset())) {
  coefficients_.assign(at(program.places()) * stride_, 0.0);
  for (std::size_t node = 0; node < program.nodes().size(); ++node)
    if (program.nodes()[node].offset > 0)
      lower_nodes_.push_back(static_cast<int>(program.slots().size() + node));
  const auto add = [&](const SeriesProgram::Row& row) {
    row_begin_.push_back(terms_.size());
    for (const SeriesProgram::Term& term : row)
      terms_.push_back({0.0, term.node < 0 ? -1 : static_cast<std::ptrdiff_t>(at(term.node) * stride_)});
  };
  int largest_e = 0;
  for (const SeriesProgram::Block& block : program.blocks()) {
    block_begin_.push_back(row_begin_.size());
    factor_.push_back(factors_.size());
    if (block.unknowns.size() > 1) factors_.emplace_back();
    for (const SeriesProgram::Row& equation : block.equations) add(equation);
    for (const SeriesProgram::Unknown& unknown : block.unknowns) largest_e = std::max(largest_e, unknown.e);
    const bool some = std::ranges::any_of(block.nodes, [&](int node) { return node_at(node).function >= 0; });
    has_functions_.push_back(some ? 1 : 0);
  }
  constraint_begin_ = row_begin_.size();
  for (const SeriesProgram::Row& constraint : program.constraints()) add(constraint);
  row_begin_.push_back(terms_.size());
  differentiation_.assign(at(std::max(program.largest_c(), largest_e)) + 1, 1.0);
}

void SeriesCoefficients::begin_segment(std::span<const double> v, const InputPieces& pieces) {
  pieces_ = pieces;
  auto place = terms_.begin();
  const auto fold = [&](const SeriesProgram::Row& row) {
    for (const SeriesProgram::Term& term : row) {
      (place++)->weight = term.weight(v, program_->functions());
    }
  };
  for (const SeriesProgram::Block& block : program_->blocks())
    for (const SeriesProgram::Row& equation : block.equations) fold(equation);
  for (const SeriesProgram::Row& constraint : program_->constraints()) fold(constraint);
  std::fill(factorised_.begin(), factorised_.end(), 0);
  for (RepeatedLu& factor : factors_) factor.begin();
}

SeriesCoefficients SeriesCoefficients::of_same_segment() const {
  SeriesCoefficients other(*program_, *accuracy_);
  other.terms_ = terms_;
  other.pieces_ = pieces_;
  return other;
}

/// Coefficient k of a row with what its nodes hold. A constant has no coefficients above order 0.
double SeriesCoefficients::value_of(std::size_t row, int k) const {
  double sum = 0.0;
  const double* const order = coefficients_.data() + k;
  const WeightedPlace* const end = terms_.data() + row_begin_[row + 1];
  for (const WeightedPlace* term = terms_.data() + row_begin_[row]; term != end; ++term)
    if (term->first >= 0)
      sum += term->weight * order[term->first];
    else if (k == 0)
      sum += term->weight;
  return sum;
}

/// Coefficient k of a node whose operands hold theirs, those of unknowns being provisional.
void SeriesCoefficients::evaluate(int node, int k) {
  const SeriesProgram::Node& n = node_at(node);
  if (n.function != SeriesProgram::Node::no_function) {
    if (n.function >= 0) evaluate_function(node, k);
    return;
  }
  double* const result = row(node);
  const double *const a = row(n.left), *const b = n.right < 0 ? nullptr : row(n.right);
  if (b == nullptr) {
    result[k] = n.b * a[k] + (k == 0 ? n.a : 0.0);
    return;
  }
  double sum = 0.0;
  for (int i = 1; i < k; ++i) sum += a[i] * b[k - i];
  interior_[at(node)] = sum;
  correct(node, k);
}

/// The same once more after the operands' coefficients k have changed: (a·b)_k = Σ + a_0 b_k + a_k b_0.
void SeriesCoefficients::correct(int node, int k) {
  const SeriesProgram::Node& n = node_at(node);
  if (n.function != SeriesProgram::Node::no_function) {
    if (n.function >= 0) correct_function(node, k);
    return;
  }
  double* const result = row(node);
  const double* const a = row(n.left);
  if (n.right < 0) {
    result[k] = n.b * a[k] + (k == 0 ? n.a : 0.0);
    return;
  }
  const double* const b = row(n.right);
  result[k] = k == 0 ? a[0] * b[0] : interior_[at(node)] + (a[0] * b[k] + a[k] * b[0]);
}

FunctionSeries SeriesCoefficients::function_at(int node) {
  return {row(node_at(node).left), row(node), row(node + 1), row(node + 2)};
}

void SeriesCoefficients::evaluate_function(int node, int k) {
  if (k > 0) {
    const auto interior = function_at(node).interior(program_->functions()[at(node_at(node).function)], k);
    const std::size_t own = at(node);
    interior_[own] = interior.r;
    interior_[own + 1] = interior.s;
    interior_[own + 2] = interior.w;
  }
  correct_function(node, k);
}

void SeriesCoefficients::correct_function(int node, int k) {
  const std::size_t own = at(node);
  function_at(node).finish(program_->functions()[at(node_at(node).function)], k,
                           {interior_[own], interior_[own + 1], interior_[own + 2]});
}

void SeriesCoefficients::evaluate_at_stage(int node, int k) {
  if (const int order = node_at(node).offset + k; order >= 0) evaluate(node, order);
}

void SeriesCoefficients::correct_at_stage(int node, int k) {
  if (const int order = node_at(node).offset + k; order >= 0) correct(node, order);
}

/// The system Jacobian of a block at order 0; false if it is singular.
bool SeriesCoefficients::factorise(std::size_t index) {
  if (factorised_[index] != 0) return true;
  const SeriesProgram::Block& block = program_->blocks()[index];
  const auto value = [&](const SeriesProgram::Derivative& derivative) {
    double product =
        terms_[row_begin_[block_begin_[index] + at(derivative.equation)] + at(derivative.term)].weight *
        derivative.S;
    for (const int node : derivative.nodes) product *= *row(node);
    return product;
  };
  if (block.unknowns.size() == 1) {
    double slope = 0.0;
    for (const SeriesProgram::Derivative& derivative : block.derivatives) slope += value(derivative);
    slopes_[index] = slope;
    if (slope == 0.0 || !std::isfinite(slope)) return false;
  } else {
    entries_.clear();
    for (const SeriesProgram::Derivative& derivative : block.derivatives)
      entries_.emplace_back(derivative.equation, derivative.unknown, value(derivative));
    if (!factors_[factor_[index]].factorise(static_cast<int>(block.unknowns.size()), entries_)) return false;
  }
  factorised_[index] = block.has_constant_jacobian ? 1 : 0;
  return true;
}

/// What multiplies coefficient c + k so that it is D^(c + k), for every c, up to a factor σ^k/k! that all have.
void SeriesCoefficients::enter_stage(int k) {
  for (std::size_t c = 1; c < differentiation_.size(); ++c)
    differentiation_[c] = differentiation_[c - 1] * (std::max(k + static_cast<int>(c), 1) / sigma_);
}

/// J⁻¹ (−D^(c_i + k) f_i) of a block at stage k, into changes_; 0 on the right where the order is negative.
void SeriesCoefficients::solve_for_changes(std::size_t index, int k) {
  const std::span<const int> c = program_->blocks()[index].c;
  const std::size_t size = c.size(), first = block_begin_[index];
  changes_.resize(std::max(changes_.size(), size));
  for (std::size_t i = 0; i < size; ++i)
    changes_[i] = c[i] + k < 0 ? 0.0 : -differentiation_[at(c[i])] * value_of(first + i, c[i] + k);
  if (size == 1)
    changes_[0] /= slopes_[index];
  else
    factors_[factor_[index]].solve(std::span(changes_).first(size));
}

/// Enters a change of D^(e_j + k) of an unknown; of ẋ also that of x, one order above, and of x that of ẋ. Order −1 of ẋ
/// is x itself. Gives the change of the coefficient.
double SeriesCoefficients::change_unknown(const SeriesProgram::Unknown& unknown, int k, double change) {
  const int order = unknown.e + k;
  if (order < -1 || (order < 0 && !unknown.is_slope)) return 0.0;
  const double coefficient = change / differentiation_[at(unknown.e)];
  if (order < 0) {
    *row(unknown.partner) += sigma_ * coefficient;
    return sigma_ * coefficient;
  }
  double* const own = row(unknown.slot);
  own[order] += coefficient;
  if (unknown.is_slope)
    row(unknown.partner)[order + 1] = sigma_ * own[order] / (order + 1);
  else if (unknown.partner >= 0 && order > 0)
    row(unknown.partner)[order - 1] = order * own[order] / sigma_;
  return coefficient;
}

/// Newton's method from what the unknowns hold; one correction and one refinement where the block is linear.
bool SeriesCoefficients::solve_block_0(std::size_t index) {
  constexpr int most_iterations = 8;
  // What is left after the last correction is its square, relative to the unknown: nothing.
  constexpr double part_of_tolerance = 1e-4;
  const SeriesProgram::Block& block = program_->blocks()[index];
  for (const int node : block.nodes) evaluate_at_stage(node, 0);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const bool known = block.linear && (iteration > 0 || (block.largest_c > 0 && lower_stages_were_met_));
    if (!known && !factorise(index)) return false;
    double largest = 0.0;
    solve_for_changes(index, 0);
    for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
      const SeriesProgram::Unknown& unknown = block.unknowns[j];
      const double value = row(unknown.slot)[unknown.e], change = change_unknown(unknown, 0, changes_[j]);
      if (!std::isfinite(change)) return false;
      const int signal = program_->slots()[at(unknown.slot)].row;
      const double tolerance = std::max(part_of_tolerance * accuracy_->of(signal, value),
                                        16.0 * machine_epsilon * std::abs(value));
      largest = std::max(largest, std::abs(change) / tolerance);
    }
    for (const int node : block.nodes) correct_at_stage(node, 0);
    const bool enough = block.linear ? iteration >= 1 || largest <= 1.0 : largest <= 1.0;
    if (enough) return block.linear || factorise(index);
  }
  return false;
}

/// Orders of inputs that stage k needs.
void SeriesCoefficients::enter_inputs(int k) {
  for (const SeriesProgram::VaryingInput& input : program_->inputs()) {
    const int order = program_->slots()[at(input.slot)].offset + k;
    if (order < 0) continue;
    row(input.slot)[order] = std::pow(sigma_, order) / factorial(order) *
                             pieces_[at(input.input)].derivative(t_, input.order + order);
  }
}

void SeriesCoefficients::enter_values(std::span<const double> values) {
  const auto width = at(program_->most_given_orders());
  for (std::size_t slot = 0; slot < program_->slots().size(); ++slot)
    for (int order = 0; order < program_->given_orders(slot); ++order)
      row(static_cast<int>(slot))[order] = values[slot * width + at(order)];
  derive_states();
  for (int k = -program_->largest_offset(); k <= 0; ++k) enter_inputs(k);
}

/// Orders 1 … offset of x from those of ẋ.
void SeriesCoefficients::derive_states() {
  for (const SeriesProgram::State& state : program_->states())
    for (int order = 1; order <= program_->slots()[at(state.value)].offset; ++order)
      row(state.value)[order] = sigma_ * row(state.slope)[order - 1] / order;
}

bool SeriesCoefficients::solve_stage_0(double t, std::span<const double> values, double sigma) {
  t_ = t;
  sigma_ = sigma;
  enter_values(values);
  if (program_->largest_c() > 0 && !solve_lower_stages()) return false;
  enter_stage(0);
  for (const int node : program_->known_nodes()) evaluate_at_stage(node, 0);
  for (std::size_t block = 0; block < program_->blocks().size(); ++block)
    if (!solve_block_0(block)) return false;
  return true;
}

/// Stages −max c … −1: Newton's method with the Jacobian of stage 0, all blocks of a stage after those below it. Where
/// order −1 of ẋ is asked for, x itself gives way: conditions on it are fulfilled by the change that the reactions make.
bool SeriesCoefficients::solve_lower_stages() {
  constexpr int most_iterations = 6;
  // The square of a change is lost in rounding.
  constexpr double half_of_digits = 1e-9;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    double largest = 0.0;
    for (int k = -program_->largest_c(); k < 0; ++k) {
      enter_stage(k);
      for (std::size_t block = 0; block < program_->blocks().size(); ++block) {
        if (program_->blocks()[block].largest_c + k < 0) continue;
        largest = std::max(largest, solve_lower_stage(block, k));
        // Later stages of a block use the factors of its first one.
        if (!std::isfinite(largest)) return false;
      }
    }
    if (largest > half_of_digits) continue;
    // Coefficients are then as exact with the Jacobian from before.
    constexpr double part_of_tolerance = 1e-3;
    lower_stages_were_met_ = iteration == 0 && largest <= part_of_tolerance * accuracy_->rtol;
    for (const int node : lower_nodes_)
      for (int order = 0; order < node_at(node).offset; ++order) evaluate(node, order);
    return true;
  }
  return false;
}

/// One correction of a block at stage k < 0: its size relative to the signals'.
double SeriesCoefficients::solve_lower_stage(std::size_t index, int k) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const SeriesProgram::Block& block = program_->blocks()[index];
  for (const int node : block.equation_nodes)
    for (int order = 0; order <= std::max(node_at(node).offset + k, 0); ++order) evaluate(node, order);
  if (block.largest_c + k == 0 && !factorise(index)) return infinity;
  solve_for_changes(index, k);
  double largest = 0.0;
  for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
    const SeriesProgram::Unknown& unknown = block.unknowns[j];
    const double change = change_unknown(unknown, k, changes_[j]);
    if (!std::isfinite(change)) return infinity;
    if (change == 0.0) continue;
    const int order = unknown.e + k, place = order < 0 ? unknown.partner : unknown.slot;
    // ε/rtol is the size of the signal.
    const double size =
        std::max(accuracy_->of(program_->slots()[at(place)].row, row(place)[0]) / accuracy_->rtol,
                 std::abs(row(place)[std::max(order, 0)]));
    largest = std::max(largest, std::abs(change) / size);
  }
  return largest;
}

void SeriesCoefficients::set_unit(double sigma) {
  const double ratio = sigma / sigma_;
  const auto rescale = [&](int place, int offset) {
    double power = 1.0;
    for (int order = 1; order <= offset; ++order) row(place)[order] *= power *= ratio;
  };
  for (std::size_t slot = 0; slot < program_->slots().size(); ++slot)
    rescale(static_cast<int>(slot), program_->slots()[slot].offset);
  for (const int node : lower_nodes_) rescale(node, node_at(node).offset);
  sigma_ = sigma;
  derive_states();
}

void SeriesCoefficients::solve_stage(int k) {
  enter_stage(k);
  enter_inputs(k);
  for (const int node : program_->known_nodes()) evaluate_at_stage(node, k);
  for (std::size_t block = 0; block < program_->blocks().size(); ++block) solve_block(block, k);
}

void SeriesCoefficients::solve_block(std::size_t index, int k) {
  const SeriesProgram::Block& block = program_->blocks()[index];
  for (const SeriesProgram::Unknown& unknown : block.unknowns) {
    row(unknown.slot)[unknown.e + k] = 0.0;
    if (unknown.is_slope) row(unknown.partner)[unknown.e + k + 1] = 0.0;
  }
  for (const int node : block.nodes) evaluate_at_stage(node, k);
  solve_for_changes(index, k);
  for (std::size_t j = 0; j < block.unknowns.size(); ++j) change_unknown(block.unknowns[j], k, changes_[j]);
  for (const int node : block.nodes) correct_at_stage(node, k);
  if (k == 1 ? has_functions_[index] != 0 && block.unknowns.size() > 1 : needs_refinement_[index] != 0)
    refine_block(index, k);
}

/// One refinement, by which errors become small beside each summand of each equation, and not only beside the largest of all: where
/// a large voltage drops over a small resistance, what is left for the exponential of a diode that blocks is far below both.
/// Whether it does something is seen at the first order.
void SeriesCoefficients::refine_block(std::size_t index, int k) {
  constexpr double nothing = 1e-12;
  const SeriesProgram::Block& block = program_->blocks()[index];
  for (const int node : block.nodes) evaluate_at_stage(node, k);
  solve_for_changes(index, k);
  double largest = 0.0;
  for (std::size_t j = 0; j < block.unknowns.size(); ++j) {
    const double change = change_unknown(block.unknowns[j], k, changes_[j]),
                 now = row(block.unknowns[j].slot)[std::max(block.unknowns[j].e + k, 0)];
    largest = std::max(largest, std::abs(change) - nothing * std::abs(now));
  }
  for (const int node : block.nodes) evaluate_at_stage(node, k);
  if (k == 1) needs_refinement_[index] = largest > 0.0 ? 1 : 0;
}

}  // namespace mti
